import type { Queryable } from '../platform/postgres.ts';
import { type InvoiceEvent, listInvoiceEvents } from './store.ts';

/** Sums are in the smallest unit of the currency. */
export type Invoice = {
  id: string;
  at: Date;
  total: number;
  currency: string;
  paid: boolean;
  lines: readonly { description: string; amount: number }[];
};

/** The invoices that the sandbox reported for a workspace, the newest first. */
export async function listSandboxInvoices(db: Queryable, workspaceId: string): Promise<Invoice[]> {
  return readInvoices(await listInvoiceEvents(db, workspaceId));
}

/** Of events, the newest first: each invoice as its last event left it. */
export function readInvoices(events: readonly InvoiceEvent[]): Invoice[] {
  const invoices = new Map<string, Invoice>();
  for (const { eventType, payload } of events) {
    const { object } = payload.data;
    // Events of older versions said nothing about money.
    if (typeof object.total !== 'number' || invoices.has(object.id)) continue;
    invoices.set(object.id, {
      id: object.id,
      at: new Date(payload.created * 1000),
      total: object.total,
      currency: object.currency,
      paid: eventType === 'invoice.paid',
      lines: object.lines.data,
    });
  }
  return [...invoices.values()];
}
