import { expect, it } from 'vitest';
import { isAtLeast, ROLES } from './roles.ts';

it.each([
  ['viewer', ['viewer']],
  ['member', ['viewer', 'member']],
  ['admin', ['viewer', 'member', 'admin']],
  ['owner', ['viewer', 'member', 'admin', 'owner']],
] as const)('%s may do what is open to %j, and nothing more', (role, allowed) => {
  expect(ROLES.filter((required) => isAtLeast(role, required))).toEqual(allowed);
});
