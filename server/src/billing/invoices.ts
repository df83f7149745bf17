import type { Queryable } from '../platform/postgres.ts';
import { type InvoiceEvent, listInvoiceEvents } from './store.ts';

/** `total` and `amount` are in the smallest unit of the currency. */
export type Invoice = {
  id: string;
  at: Date;
  total: number;
  currency: string;
  isPaid: boolean;
  lines: readonly { description: string; amount: number }[];
};

/** The invoices the sandbox reported for a workspace, newest first. */
export async function listSandboxInvoices(db: Queryable, workspaceId: string): Promise<Invoice[]> {
  return readInvoices(await listInvoiceEvents(db, workspaceId));
}

/** `events` must be newest first; each invoice gets the state of its latest event. */
export function readInvoices(events: readonly InvoiceEvent[]): Invoice[] {
  const invoices = new Map<string, Invoice>();
  for (const { eventType, payload } of events) {
    const { object } = payload.data;
    // Sandbox events written by older releases have no amounts.
    if (typeof object.total !== 'number' || invoices.has(object.id)) continue;
    invoices.set(object.id, {
      id: object.id,
      at: new Date(payload.created * 1000),
      total: object.total,
      currency: object.currency,
      isPaid: eventType === 'invoice.paid',
      lines: object.lines.data,
    });
  }
  return [...invoices.values()];
}
