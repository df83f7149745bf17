import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { REPOSITORY } from '../repository.ts';

/** One change to a source of the service. `find` must occur exactly once: a patch that no longer fits is an error. */
export type Patch = { file: string; find: string; replace: string };

/**
 * The service with some of its source changed: shorter clocks, failpoints, planted bugs. The product has no switch for any of these, so
 * none can be left on.
 */
export type Variant = { program: string };

export async function buildVariant(
  folder: string,
  patches: readonly Patch[],
  options: { banner?: string } = {},
): Promise<Variant> {
  await mkdir(join(folder, 'dist'), { recursive: true });
  await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  await symlink(join(REPOSITORY, 'server', 'migrations'), join(folder, 'migrations'));
  await cp(join(REPOSITORY, 'server', 'package.json'), join(folder, 'package.json'));
  await cp(
    join(REPOSITORY, 'server', 'dist', 'engine-process.js'),
    join(folder, 'dist', 'engine-process.js'),
  );
  const used = new Set<string>();
  await build({
    absWorkingDir: REPOSITORY,
    entryPoints: ['server/src/main.ts'],
    outfile: join(folder, 'dist', 'earshot.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'silent',
    ...(options.banner === undefined ? {} : { banner: { js: options.banner } }),
    plugins: [thirdPartyOutside, patching(patches, used)],
  });
  const unused = patches.filter(({ file }) => !used.has(file));
  if (unused.length > 0)
    throw new Error(`No part of the service: ${unused.map(({ file }) => file).join(', ')}`);
  return { program: join(folder, 'dist', 'earshot.js') };
}

/** Leaves packages of others out of the bundle, as scripts/build.mjs does. */
const thirdPartyOutside: Plugin = {
  name: 'third-party-outside',
  setup(context) {
    context.onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith('@earshot/') ? null : { path, external: true },
    );
  },
};

function patching(patches: readonly Patch[], used: Set<string>): Plugin {
  return {
    name: 'patching',
    setup(context) {
      for (const file of new Set(patches.map((patch) => patch.file))) {
        const path = join(REPOSITORY, file);
        const filter = new RegExp(`${file.replace(/[.]/g, '[.]')}$`);
        context.onLoad({ filter }, async (loaded) => {
          if (loaded.path !== path) return null;
          used.add(file);
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
      throw new Error(`${file}: found ${parts.length - 1} times instead of once:\n${find}`);
    }
    return parts.join(replace);
  }, text);
}
