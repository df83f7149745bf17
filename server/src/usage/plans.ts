/** Smallest first. */
export const PLAN_NAMES = ['free', 'pro', 'scale'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];
export type PaidPlanName = Exclude<PlanName, 'free'>;

export type Plan = {
  analysesPerMonth: number;
  /** For the audio and reports stored at any one time. */
  storageBytesMax: number;
  /** Accepts analyses beyond the monthly allowance and bills each one. */
  overageAllowed: boolean;
  /** Completed analyses are reported to the payment provider's meter. */
  metered: boolean;
};

export const PLANS: Record<PlanName, Plan> = {
  free: { analysesPerMonth: 100, storageBytesMax: 500_000_000, overageAllowed: false, metered: false },
  pro: { analysesPerMonth: 5_000, storageBytesMax: 50_000_000_000, overageAllowed: false, metered: true },
  scale: { analysesPerMonth: 50_000, storageBytesMax: 500_000_000_000, overageAllowed: true, metered: true },
};

export type PlanState = {
  plan: PlanName;
  status: 'active' | 'past_due' | 'canceled';
  graceUntil: Date | null;
};

/** The plan whose limits apply now: an unpaid plan until its grace period ends, otherwise the free one. */
export function planInForce(subscription: PlanState | null, now: Date): PlanName {
  if (!subscription || subscription.status === 'canceled') return 'free';
  if (
    subscription.status === 'past_due' &&
    (subscription.graceUntil === null || subscription.graceUntil <= now)
  ) {
    return 'free';
  }
  return subscription.plan;
}
