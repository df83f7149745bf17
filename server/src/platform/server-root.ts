import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of the server package: two levels above this file as source, one above the bundle in dist/. Files that the program reads
 * at run time (migrations, other bundles) are found from here.
 */
export const SERVER_ROOT = findServerRoot(dirname(fileURLToPath(import.meta.url)));

function findServerRoot(start: string): string {
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'migrations')) && existsSync(join(folder, 'package.json'))) return folder;
  }
  throw new Error(`The migrations folder of the server is missing above ${start}`);
}
