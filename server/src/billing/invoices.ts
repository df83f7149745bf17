import type { Queryable } from '../platform/postgres.ts';
import { type InvoiceEvent, listInvoiceEvents } from './store.ts';

/** Sums are in the smallest unit of the currency. */
export type Invoice = {
  id: string;
  at: Date;
  total: number;
  currency: string;
  isPaid: boolean;
  lines: readonly { description: string; amount: number }[];
};

/** The invoices that the sandbox reported for a workspace, the newest first. */
export async function listSandboxInvoices(db: Queryable, workspaceId: string): Promise<Invoice[]> {
  return readInvoices(await listInvoiceEvents(db, workspaceId));
}

/** Takes the newest event first; each invoice has the state of its last event. */
export function readInvoices(events: readonly InvoiceEvent[]): Invoice[] {
  const invoices = new Map<string, Invoice>();
  for (const { eventType, payload } of events) {
    const { object } = payload.data;
    // Older versions wrote events without amounts.
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
