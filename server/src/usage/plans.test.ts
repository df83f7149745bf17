import { describe, expect, it } from 'vitest';
import { planInForce } from './plans.ts';

const now = new Date('2026-03-10T00:00:00Z');
const before = new Date('2026-03-09T23:59:59Z');
const after = new Date('2026-03-10T00:00:01Z');

describe('planInForce', () => {
  it.each([
    ['no subscription', null, 'free'],
    ['active', { plan: 'pro', status: 'active', graceUntil: null }, 'pro'],
    ['unpaid within grace', { plan: 'scale', status: 'past_due', graceUntil: after }, 'scale'],
    ['unpaid at the end of grace', { plan: 'scale', status: 'past_due', graceUntil: now }, 'free'],
    ['unpaid after grace', { plan: 'scale', status: 'past_due', graceUntil: before }, 'free'],
    ['unpaid without grace', { plan: 'scale', status: 'past_due', graceUntil: null }, 'free'],
    ['canceled', { plan: 'pro', status: 'canceled', graceUntil: after }, 'free'],
  ] as const)('%s', (_, subscription, expected) => {
    expect(planInForce(subscription, now)).toBe(expected);
  });
});
