/** Part of the transaction that erases a workspace. */
export { deletePaymentEventsOfWorkspace as erasePaymentEventsOfWorkspace } from './store.ts';
