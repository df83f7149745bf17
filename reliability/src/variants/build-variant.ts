import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { REPOSITORY } from '../repository.ts';

/** One change to a source of the service. `find` must occur exactly once: a patch that no longer fits is an error. */
export type Patch = { file: string; find: string; replace: string };

export function patchServer(file: string, find: string, replace: string): Patch {
  return { file: `server/src/${file}`, find, replace };
}

/**
 * Bundles the service into the folder with changes to its source: shorter clocks, failpoints, planted bugs. The product has no switch for
 * any of these, so none can be left on. The banner is code that runs after the packages have loaded, and before the
 * service. Returns the path of the program.
 */
export async function buildVariant(folder: string, patches: readonly Patch[], banner = ''): Promise<string> {
  await mkdir(join(folder, 'dist'), { recursive: true });
  await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  await symlink(join(REPOSITORY, 'server', 'migrations'), join(folder, 'migrations'));
  await cp(join(REPOSITORY, 'server', 'package.json'), join(folder, 'package.json'));
  await cp(
    join(REPOSITORY, 'server', 'dist', 'engine-process.js'),
    join(folder, 'dist', 'engine-process.js'),
  );
  const patchedFiles = new Set<string>();
  const program = join(folder, 'dist', 'earshot.js');
  await build({
    absWorkingDir: REPOSITORY,
    entryPoints: ['server/src/main.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'silent',
    banner: { js: banner },
    plugins: [excludeThirdParty, applyWhileLoading(patches, patchedFiles)],
  });
  const unused = patches.filter(({ file }) => !patchedFiles.has(file));
  if (unused.length > 0)
    throw new Error(`Patched, but not part of the service: ${unused.map(({ file }) => file).join(', ')}`);
  return program;
}

/** Keeps third-party packages out of the bundle, as scripts/build.mjs does. */
const excludeThirdParty: Plugin = {
  name: 'exclude-third-party',
  setup(context) {
    context.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@earshot/') ? null : { path, external: true },
    );
  },
};

function applyWhileLoading(patches: readonly Patch[], patchedFiles: Set<string>): Plugin {
  return {
    name: 'apply-patches',
    setup(context) {
      for (const file of new Set(patches.map((patch) => patch.file))) {
        const path = join(REPOSITORY, file);
        const filter = new RegExp(`${file.replace(/[.]/g, '[.]')}$`);
        context.onLoad({ filter }, async (loaded) => {
          if (loaded.path !== path) return null;
          patchedFiles.add(file);
          const own = patches.filter((patch) => patch.file === file);
          return { contents: applyPatches(await readFile(path, 'utf8'), own), loader: 'ts' };
        });
      }
    },
  };
}

export function applyPatches(text: string, patches: readonly Patch[]): string {
  return patches.reduce((current, { file, find, replace }) => {
    const parts = current.split(find);
    if (parts.length !== 2) {
      throw new Error(
        `${file}: the text to replace occurs ${parts.length - 1} times instead of once:\n${find}`,
      );
    }
    return parts.join(replace);
  }, text);
}
