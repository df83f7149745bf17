import type { Queryable } from '../platform/postgres.ts';
import { listInvoiceEvents } from './store.ts';

export type Invoice = {
  id: string;
  at: Date;
  total: number;
  currency: string;
  paid: boolean;
  lines: readonly { description: string; amount: number }[];
};

/** The invoices that the sandbox reported for a customer, the newest first: each as its last event left it. */
export async function listSandboxInvoices(db: Queryable, customerId: string): Promise<Invoice[]> {
  const invoices = new Map<string, Invoice>();
  for (const { eventType, payload } of await listInvoiceEvents(db, customerId)) {
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
