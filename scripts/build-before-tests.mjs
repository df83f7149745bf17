/**
 * Rebuilds the bundled programs before tests that start them as processes. A program that does not build is reported here and fails the
 * tests that need it, but no others.
 */
import { buildAll } from './build.mjs';

export default async function setup() {
  for (const failure of await buildAll()) console.error(failure.message);
}
