import type { Queryable } from '../platform/postgres.ts';
import { findAccountOfWorkspace, listInvoiceEvents } from './store.ts';

export type Invoice = {
  id: string;
  at: Date;
  total: number;
  currency: string;
  paid: boolean;
  lines: readonly { description: string; amount: number }[];
};

/** The invoices that the sandbox reported for a workspace, the newest first: each as its last event left it. */
export async function listSandboxInvoices(db: Queryable, workspaceId: string): Promise<Invoice[]> {
  const account = await findAccountOfWorkspace(db, workspaceId);
  if (!account?.customerId) return [];
  const invoices = new Map<string, Invoice>();
  for (const { eventType, payload } of await listInvoiceEvents(db, account.customerId)) {
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
