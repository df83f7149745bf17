export const PLAN_NAMES = ['free', 'pro', 'scale'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];
export type PaidPlanName = Exclude<PlanName, 'free'>;

export type Plan = {
  analysesPerMonth: number;
  /** Of audio and reports kept at a time. */
  storageBytesMax: number;
  /** Goes on beyond the month's analyses, and bills each. */
  overageAllowed: boolean;
  /** Completed analyses are reported to the payment provider's meter. */
  metered: boolean;
};

export const PLANS: Record<PlanName, Plan> = {
  free: { analysesPerMonth: 100, storageBytesMax: 500_000_000, overageAllowed: false, metered: false },
  pro: { analysesPerMonth: 5_000, storageBytesMax: 50_000_000_000, overageAllowed: false, metered: true },
  scale: { analysesPerMonth: 50_000, storageBytesMax: 500_000_000_000, overageAllowed: true, metered: true },
};

export type Subscription = {
  plan: PlanName;
  status: 'active' | 'past_due' | 'canceled';
  graceUntil: Date | null;
};

/** The plan whose limits hold now: an unpaid one lasts until its grace ends, and no subscription is the free plan. */
export function planInForce(subscription: Subscription | null, now: Date): PlanName {
  if (!subscription || subscription.status === 'canceled') return 'free';
  if (
    subscription.status === 'past_due' &&
    (subscription.graceUntil === null || subscription.graceUntil <= now)
  ) {
    return 'free';
  }
  return subscription.plan;
}
