import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Folder of sources → generated module. */
export const MODULES = {
  'engine/wasm/assembly': 'engine/src/signal/kernels.generated.ts',
  'server/wasm/assembly': 'server/src/library/kernels.generated.ts',
};

export function hashSources(folder) {
  const hash = createHash('sha256');
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.ts'));
  for (const name of names.sort()) {
    const source = readFileSync(join(ROOT, folder, name));
    hash.update(name).update('\0').update(source).update('\0');
  }
  return hash.digest('hex');
}
