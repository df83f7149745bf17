import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout: two levels above this file, as source and as bundle. */
export const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
