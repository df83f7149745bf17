/** For the transaction that closes a workspace or sets it aside. */
export { revokeSessionsOfWorkspace as closeSessionsOfWorkspace } from './session-store.ts';
export { markVerificationsOfUserUsed as spendVerificationsOfUser } from './verification-store.ts';
