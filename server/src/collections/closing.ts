/** What becomes of places in collections when their analysis is erased; part of the transaction that erases it. */
export { deleteItemsOfAnalysis as eraseItemsOfAnalysis } from './store.ts';
