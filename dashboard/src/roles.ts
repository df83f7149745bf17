import type { RequestOutput } from '@earshot/sdk';

export type Role = RequestOutput<'getProfile'>['workspace_role'];
const RANKS: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 };
/** Lowest first. */
export const ROLES = Object.keys(RANKS) as Role[];

export function isAtLeast(role: Role, required: Role): boolean {
  return RANKS[role] >= RANKS[required];
}
