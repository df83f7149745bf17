/** What becomes of shares when their workspace closes or their analysis is erased; part of the transaction that does so. */
export {
  deleteSharesOfAnalysis as eraseSharesOfAnalysis,
  revokeSharesOfWorkspace as closeSharesOfWorkspace,
} from './store.ts';
