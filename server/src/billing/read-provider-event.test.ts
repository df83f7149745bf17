import { describe, expect, it } from 'vitest';
import { signEvent } from './event-signature.ts';
import { readProviderEvent, readTrustedEvent } from './read-provider-event.ts';

const options = {
  planOfPrice: (price: string) => (price === 'price_pro' ? ('pro' as const) : null),
  livemode: false as boolean | null,
};
const event = (type: string, object: Record<string, unknown>, more = {}) => ({
  id: 'evt_1',
  type,
  created: 1_773_144_000,
  data: { object },
  ...more,
});
const changeOf = (type: string, object: Record<string, unknown>) =>
  readTrustedEvent(event(type, object), options).change;
const items = { data: [{ price: { id: 'price_other' } }, { price: { id: 'price_pro' } }] };

describe('an event', () => {
  it('is read with its id, type, time, customer and whole payload', () => {
    const given = event('invoice.paid', { customer: 'cus_1' });
    expect(readTrustedEvent(given, options)).toMatchObject({
      id: 'evt_1',
      type: 'invoice.paid',
      createdAt: new Date('2026-03-10T12:00:00Z'),
      customerId: 'cus_1',
      payload: given,
    });
  });

  it.each([
    ['customer.updated', { id: 'cus_1', customer: 'cus_2' }, 'cus_1'],
    ['customer.subscription.updated', { id: 'sub_1', customer: 'cus_2' }, 'cus_2'],
    ['customer.tax_id.created', { id: 'txi_1', customer: 'cus_2' }, 'cus_2'],
    ['invoice.paid', { id: 'in_1', customer: '' }, null],
    ['invoice.paid', { id: 'in_1', customer: 7 }, null],
  ])('%s with %j belongs to the customer %s', (type, object, customer) => {
    expect(readTrustedEvent(event(type, object), options).customerId).toBe(customer);
  });

  it.each([
    ['nothing', null],
    ['no id', event('x', {}, { id: 1 })],
    ['no type', event('x', {}, { type: null })],
    ['no time', event('x', {}, { created: '1773144000' })],
    ['no data', event('x', {}, { data: undefined })],
    ['no object', event('x', {}, { data: { object: null } })],
    ['text for an object', event('x', {}, { data: { object: 'in_1' } })],
  ])('with %s is refused', (_, given) => {
    expect(() => readTrustedEvent(given, options)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });

  it('of the other mode is refused with a message that names both; without modes it is accepted', () => {
    const read = (livemode: boolean | undefined, ours: boolean | null) => () =>
      readTrustedEvent(event('x', {}, { livemode }), { ...options, livemode: ours });
    expect(read(true, false)).toThrow('This is a live mode event; the service runs in test mode.');
    expect(read(false, true)).toThrow('This is a test mode event; the service runs in live mode.');
    for (const [theirs, ours] of [
      [true, true],
      [false, false],
      [true, null],
      [undefined, true],
    ] as const)
      expect(read(theirs, ours)().id).toBe('evt_1');
  });

  it('of a connected account is refused', () => {
    expect(() => readTrustedEvent(event('x', {}, { account: 'acct_1' }), options)).toThrow('another account');
    expect(readTrustedEvent(event('x', {}, { account: null }), options).id).toBe('evt_1');
  });
});

describe('a subscription', () => {
  const noted = { kind: 'noted' };
  const ended = (rank: number) => ({ kind: 'subscription_ended', subscriptionId: 'sub_1', rank });
  const subscribed = (payment: 'failed' | null, rank = 3) => ({
    kind: 'subscription',
    subscriptionId: 'sub_1',
    plan: 'pro',
    payment,
    rank,
  });

  it.each([
    ['active', subscribed(null)],
    ['trialing', subscribed(null)],
    ['past_due', subscribed('failed')],
    ['unpaid', subscribed('failed')],
    ['incomplete', noted],
    ['canceled', ended(3)],
    ['incomplete_expired', ended(3)],
    ['paused', ended(3)],
  ])('that is %s', (status, change) => {
    expect(changeOf('customer.subscription.updated', { id: 'sub_1', status, items })).toEqual(change);
  });

  it('has a lower rank when created than when updated, and the highest when deleted', () => {
    expect(changeOf('customer.subscription.created', { id: 'sub_1', status: 'active', items })).toEqual(
      subscribed(null, 2),
    );
    expect(changeOf('customer.subscription.deleted', { id: 'sub_1' })).toEqual(ended(6));
    expect(changeOf('customer.subscription.deleted', {})).toEqual(noted);
  });

  it.each([
    ['no items', {}],
    ['an empty list', { items: {} }],
    ['a price we do not sell', { items: { data: [{ price: { id: 'price_other' } }] } }],
    ['no price', { items: { data: [null, {}, { price: {} }] } }],
  ])('with %s grants nothing', (_, object) => {
    expect(changeOf('customer.subscription.updated', { id: 'sub_1', status: 'active', ...object })).toEqual(
      noted,
    );
  });

  it('without an id grants nothing', () => {
    expect(changeOf('customer.subscription.updated', { status: 'active', items })).toEqual(noted);
  });
});

describe('an invoice', () => {
  const settled = (payment: 'paid' | 'failed', rank: number) => ({
    kind: 'payment',
    subscriptionId: 'sub_1',
    payment,
    rank,
  });

  it.each([
    ['old', { subscription: 'sub_1' }],
    ['new', { parent: { subscription_details: { subscription: 'sub_1' } } }],
  ])('of an %s API version names its subscription', (_, object) => {
    expect(changeOf('invoice.paid', object)).toEqual(settled('paid', 4));
    expect(changeOf('invoice.payment_failed', object)).toEqual(settled('failed', 5));
  });

  it.each([
    [{ amount_remaining: 0, status: 'paid' }, true],
    [{ amount_remaining: -5 }, true],
    [{ amount_remaining: 1, status: 'paid' }, false],
    [{ amount_remaining: 0, status: 'open' }, false],
    [{ amount_remaining: 1 }, false],
  ])('with %j is paid: %s', (sums, isPaid) => {
    const change = changeOf('invoice.paid', { subscription: 'sub_1', ...sums });
    expect(change).toEqual(isPaid ? settled('paid', 4) : { kind: 'noted' });
  });

  it.each([[{}], [{ parent: null }], [{ parent: {} }]])(
    'without a subscription (%j) has no effect',
    (object) => {
      expect(changeOf('invoice.paid', object)).toEqual({ kind: 'noted' });
    },
  );
});

it.each([
  ['checkout.session.completed', 'noted'],
  ['customer.updated', 'noted'],
  ['customer.deleted', 'customer_deleted'],
  ['charge.refunded', 'unknown'],
])('%s is %s', (type, kind) => {
  expect(changeOf(type, { id: 'x' })).toEqual({ kind });
});

describe('a body', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  const read = (body: string, header: string | null) =>
    readProviderEvent(Buffer.from(body), header, { ...options, secrets: ['whsec'], now });

  it('with a valid signature is read', () => {
    const body = JSON.stringify(event('customer.deleted', { id: 'cus_1' }));
    expect(read(body, signEvent('whsec', body, now)).change).toEqual({ kind: 'customer_deleted' });
  });

  it('with a wrong or missing signature, or without JSON, is refused with the reason', () => {
    const body = JSON.stringify(event('customer.deleted', { id: 'cus_1' }));
    expect(() => read(body, signEvent('other', body, now))).toThrow(
      expect.objectContaining({ code: 'bad_signature' }),
    );
    expect(() => read(body, null)).toThrow(expect.objectContaining({ code: 'bad_signature' }));
    expect(() => read('{', signEvent('whsec', '{', now))).toThrow(
      expect.objectContaining({ code: 'bad_request', cause: expect.any(SyntaxError) }),
    );
  });
});
