/**
 * Tests that start our programs as real processes start today's source, not yesterday's bundle. A program that does not
 * build fails the tests that need it, with its message here; it does not stop all others.
 */
import { buildAll } from './build.mjs';

export default async function setup() {
  for (const failure of await buildAll()) console.error(failure.message);
}
