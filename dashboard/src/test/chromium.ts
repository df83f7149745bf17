import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type Chromium = {
  executablePath: string;
  /** Environment variables that the program needs in addition to those of the tests. */
  env: Record<string, string>;
  remove(): Promise<void>;
};

const INSTALLED_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The program at CHROMIUM_PATH, or else an installed Chromium or Chrome, or else the one from `npm ci`, which CHROMIUM_PATH=npm forces. */
export async function findChromium(): Promise<Chromium> {
  // An empty value counts as unset: CI pipelines pass unset variables as empty ones.
  const requested = process.env.CHROMIUM_PATH || undefined;
  const executablePath = requested ?? INSTALLED_PATHS.find((path) => existsSync(path));
  if (executablePath === undefined || requested === 'npm') return unpackChromium();
  return { executablePath, env: {}, remove: async () => {} };
}

/**
 * The package unpacks Chromium into the temporary folder under fixed names, and, when it believes to run on AWS Lambda, also the libraries
 * that a minimal machine lacks. A child process with a new TMPDIR keeps earlier runs, other versions and other users out of the way. The
 * package's fonts.conf names /tmp/fonts whatever TMPDIR is, and Chromium crashes at the first text field when it finds no font, so this
 * writes a fonts.conf with the right folder.
 */
async function unpackChromium(): Promise<Chromium> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chromium was found. Install one, or set CHROMIUM_PATH to its program.');
  }
  const folder = await mkdtemp(join(tmpdir(), 'earshot-chromium-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const script =
    "import('@sparticuz/chromium').then(async (chromium) => console.log(await chromium.default.executablePath()))";
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script], {
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
