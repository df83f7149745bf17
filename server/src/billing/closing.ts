/** What ends with a workspace that is erased; part of the transaction that erases it. */
export { deletePaymentEventsOfWorkspace as erasePaymentEventsOfWorkspace } from './store.ts';
