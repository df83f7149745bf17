/** For the transaction that closes a workspace (workspaces/close.ts). */
export { revokeKeysOfWorkspace as closeKeysOfWorkspace } from './store.ts';
