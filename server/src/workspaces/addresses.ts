import type { Queryable } from '../platform/postgres.ts';
import * as store from './store.ts';

/**
 * The e-mail addresses of workspace members. A separate file, because mail and billing import it and the rest of this domain imports
 * them.
 */

/** The name of a notification preference; null for mail that cannot be turned off. */
type Preference = string | null;

/** Null when the workspace has no owner or the owner does not want this kind of mail. */
export async function findOwnerAddress(
  db: Queryable,
  workspaceId: string,
  preference: Preference,
): Promise<string | null> {
  return addressIfWanted(await store.findAddressOfOwner(db, workspaceId), preference);
}

export async function getOwnerAddress(db: Queryable, workspaceId: string): Promise<string> {
  const address = await findOwnerAddress(db, workspaceId, null);
  if (address === null) throw new Error(`Workspace ${workspaceId} has no owner`);
  return address;
}

/** Null when the person does not want this kind of mail, or is no active member of the workspace. */
export async function findMemberAddress(
  db: Queryable,
  member: { userId: string; workspaceId: string },
  preference: Preference,
): Promise<string | null> {
  return addressIfWanted(await store.findAddressOfMember(db, member.workspaceId, member.userId), preference);
}

function addressIfWanted(row: store.AddressRow | null, preference: Preference): string | null {
  if (row === null) return null;
  const isUnwanted = preference !== null && row.notification_preferences[preference] === false;
  return isUnwanted ? null : row.email;
}
