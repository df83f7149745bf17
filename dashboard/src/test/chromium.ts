import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type Chromium = {
  executablePath: string;
  /** What the program needs beyond the environment of the tests. */
  env: Record<string, string>;
  remove(): Promise<void>;
};

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser of this machine, or CHROMIUM_PATH, or else the one that came with `npm ci`. CHROMIUM_PATH=npm asks for that one. */
export async function findChromium(): Promise<Chromium> {
  // Set to nothing, as an unset variable of a pipeline is, it asks for none.
  const asked = process.env.CHROMIUM_PATH || undefined;
  const executablePath = asked ?? INSTALLED.find((path) => existsSync(path));
  if (executablePath === undefined || asked === 'npm') return unpackChromium();
  return { executablePath, env: {}, remove: async () => {} };
}

/**
 * The package unpacks itself, and libraries that a bare machine lacks when it believes to be on Lambda, into the folder for
 * temporary files under fixed names. In a process of its own that folder is ours alone: nothing of an earlier run, of
 * another version or of another user is in the way. Its fonts.conf names /tmp/fonts whatever the folder is, and a Chromium that finds no
 * font ends at the first text field; so the fonts have a configuration of ours.
 */
async function unpackChromium(): Promise<Chromium> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chromium was found. Install one, or set CHROMIUM_PATH to its program.');
  }
  const folder = await mkdtemp(join(tmpdir(), 'earshot-chromium-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const program =
    "import('@sparticuz/chromium').then(async (chromium) => console.log(await chromium.default.executablePath()))";
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' },
  }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const fontSettings = join(folder, 'fonts.conf');
  await writeFile(
    fontSettings,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>
`,
  );
  return {
    executablePath: stdout.trim(),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: fontSettings },
    remove,
  };
}
