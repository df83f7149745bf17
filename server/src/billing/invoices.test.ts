import { expect, it } from 'vitest';
import { readInvoices } from './invoices.ts';

const event = (eventType: string, created: number, id: string, total?: number) => ({
  eventType,
  payload: {
    created,
    data: {
      object: {
        id,
        total,
        currency: 'usd',
        lines: { data: [{ description: 'Earshot pro', amount: 4_900 }] },
      },
    },
  },
});

it('an invoice has the state of its latest event; the newest invoice comes first', () => {
  const events = [
    event('invoice.payment_failed', 1_773_144_300, 'in_2', 49_900),
    event('invoice.paid', 1_773_144_200, 'in_1', 4_900),
    event('invoice.payment_failed', 1_773_144_100, 'in_1', 4_900),
  ];
  expect(readInvoices(events)).toEqual([
    {
      id: 'in_2',
      at: new Date('2026-03-10T12:05:00Z'),
      total: 49_900,
      currency: 'usd',
      isPaid: false,
      lines: [{ description: 'Earshot pro', amount: 4_900 }],
    },
    expect.objectContaining({ id: 'in_1', at: new Date('2026-03-10T12:03:20Z'), total: 4_900, isPaid: true }),
  ]);
});

it('an event without a total, as older releases wrote, is not an invoice', () => {
  expect(readInvoices([event('invoice.paid', 1_773_144_200, 'in_1')])).toEqual([]);
});
