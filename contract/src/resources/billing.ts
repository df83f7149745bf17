import { z } from 'zod';
import { count, httpUrl, identifier, timestamp, urlText } from '../wire-values.ts';

export const PLANS = ['free', 'pro', 'scale'] as const;
export type Plan = (typeof PLANS)[number];

export const Plans = z
  .object({
    plans: z.array(
      z.object({
        plan: z.enum(PLANS),
        analyses_per_month: count,
        storage_bytes: count.meta({ description: 'Storage for audio and reports' }),
        overage: z.boolean().meta({
          description: "Whether analyses beyond the month's allowance are accepted and billed individually",
        }),
        price: z
          .object({
            amount: count.meta({ description: 'Per month, in the smallest unit of the currency' }),
            currency: z.string().meta({ examples: ['usd'] }),
          })
          .nullable()
          .meta({ description: 'Null for the free plan, and if the service has no payment provider' }),
      }),
    ),
  })
  .meta({ id: 'PlanList' });

const BillingState = z.enum(['active', 'past_due', 'canceled']).meta({ id: 'BillingState' });

export const BillingStatus = z
  .object({
    workspace_id: identifier('ws'),
    plan: z.enum(PLANS),
    status: BillingState,
    local_credit_balance: z.int(),
    grace_until: timestamp
      .nullable()
      .meta({ description: 'After a failed payment, the limits of the plan stay in force until then' }),
  })
  .meta({ id: 'BillingStatus' });

export const Meter = z
  .object({
    state: z.enum(['active', 'inactive']),
    included: count,
    used: count,
    overage: count.meta({ description: 'Analyses beyond the included ones, billed individually' }),
  })
  .meta({ id: 'Meter' });

export const KeyBillingStatus = z
  .object({
    tier: z.enum(PLANS),
    status: BillingState,
    meter: Meter.nullable(),
    portal_available: z.boolean(),
    email_verified: z.boolean(),
  })
  .meta({ id: 'KeyBillingStatus' });

export const StorageUse = z
  .object({
    used_bytes: count.meta({
      description: 'Files waiting for analysis, retained audio, reports, and uploads in progress',
    }),
    limit_bytes: count,
  })
  .meta({ id: 'StorageUse' });

const month = z.string().meta({ description: 'Billing month', examples: ['2026-01'] });

export const Usage = z
  .object({
    workspace_id: identifier('ws'),
    local_analysis_jobs: count,
    local_analysis_credits: z.int().meta({ description: 'Credits used this month' }),
    provider_enrichment_jobs: count,
    days: z
      .array(
        z.object({ date: z.string().meta({ format: 'date', examples: ['2026-01-31'] }), credits: count }),
      )
      .meta({
        description:
          'The days of the month with usage, in order; their credits add up to `local_analysis_credits`',
      }),
    period: month,
    month,
    storage: StorageUse,
  })
  .meta({ id: 'Usage' });

export const KeyUsage = z
  .object({
    period: month,
    month,
    period_start: timestamp,
    period_end: timestamp,
    tier: z.enum(PLANS),
    limit: count,
    count,
    remaining: count,
    meter: Meter.nullable(),
    storage: StorageUse,
  })
  .meta({ id: 'KeyUsage' });

export const CheckoutRequest = z
  .strictObject({
    plan: z.enum(['pro', 'scale']),
    success_url: httpUrl().nullish(),
    cancel_url: httpUrl().nullish(),
  })
  .meta({ id: 'CheckoutRequest', examples: [{ plan: 'pro' }] });

const sessionFields = { id: z.string(), url: urlText };

export const CheckoutSession = z
  .object({
    ...sessionFields,
    proration: z
      .object({
        amount_due: z.int().meta({
          description:
            'In the smallest unit of the currency, billed immediately; a negative amount is credited to the next invoice',
        }),
        currency: z.string().meta({ examples: ['usd'] }),
      })
      .nullable()
      .meta({
        description: 'What a change of plan costs for the rest of the month; null for a first subscription',
      }),
  })
  .meta({ id: 'CheckoutSession', description: 'Open `url` in a browser' });

export const PortalSession = z
  .object(sessionFields)
  .meta({ id: 'PortalSession', description: 'Open `url` in a browser' });

export const PaymentEventReceipt = z
  .object({ accepted: z.boolean(), event_type: z.string() })
  .meta({ id: 'PaymentEventReceipt', examples: [{ accepted: true, event_type: 'invoice.paid' }] });
