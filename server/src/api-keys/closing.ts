/** What becomes of keys when their workspace closes; part of the transaction that closes it. */
export { revokeKeysOfWorkspace as closeKeysOfWorkspace } from './store.ts';
