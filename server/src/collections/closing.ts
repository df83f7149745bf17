/** Called when an analysis is erased, in the same transaction. */
export { deleteItemsOfAnalysis as eraseItemsOfAnalysis } from './store.ts';
