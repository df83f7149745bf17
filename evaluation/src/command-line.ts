import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Node's flags for a program whose processor time is measured, in the root of the checkout. */
export const MEASURED = ['--require', './evaluation/src/let-decoders-end.cjs'];

/** The command line's program in a built checkout. Before it was started from a code cache it was a module. */
export function commandLineOf(checkout: string): string {
  const program = join(checkout, 'cli/dist/earshot.cjs');
  return existsSync(program) ? program : join(checkout, 'cli/dist/earshot.js');
}
