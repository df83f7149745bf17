import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of the server package, which contains the files read at run time (migrations, other bundles). It is searched for, because
 * this code runs from src/platform/ and from a bundle in dist/.
 */
export const SERVER_ROOT = findServerRoot(dirname(fileURLToPath(import.meta.url)));

function findServerRoot(start: string): string {
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'migrations')) && existsSync(join(folder, 'package.json'))) return folder;
  }
  throw new Error(`The migrations folder of the server is missing above ${start}`);
}
