/** Called when a workspace closes or an analysis is erased, in the same transaction. */
export {
  deleteSharesOfAnalysis as eraseSharesOfAnalysis,
  revokeSharesOfWorkspace as closeSharesOfWorkspace,
} from './store.ts';
