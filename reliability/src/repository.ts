import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. It is two levels above this file, both in src and in the bundle. */
export const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
