import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The command line's program in a built checkout. Before it was started from a code cache it was a module. */
export function commandLineOf(checkout: string): string {
  const program = join(checkout, 'cli/dist/earshot.cjs');
  return existsSync(program) ? program : join(checkout, 'cli/dist/earshot.js');
}
