/** What ends with a workspace, or with the proof of an address; part of the transaction that ends it. */
export { revokeSessionsOfWorkspace as closeSessionsOfWorkspace } from './session-store.ts';
export { markVerificationsOfUserUsed as spendVerificationsOfUser } from './verification-store.ts';
