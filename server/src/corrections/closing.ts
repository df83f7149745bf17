/** Called when an analysis is erased, in the same transaction. */
export { deleteCorrectionsOfAnalysis as eraseCorrectionsOfAnalysis } from './store.ts';
