/** What becomes of corrections when their analysis is erased; part of the transaction that erases it. */
export { deleteCorrectionsOfAnalysis as eraseCorrectionsOfAnalysis } from './store.ts';
