/** For the transaction that closes a workspace. */
export { revokeKeysOfWorkspace as closeKeysOfWorkspace } from './store.ts';
