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
        storage_bytes: count.meta({ description: 'Of audio and reports kept at a time' }),
        overage: z.boolean().meta({ description: "Goes on beyond the month's analyses, and bills each" }),
        price: z
          .object({
            amount: count.meta({ description: 'A month, in the smallest unit of the currency' }),
            currency: z.string().meta({ examples: ['usd'] }),
          })
          .nullable()
          .meta({ description: 'Null of the free plan, and where this service has no payment provider' }),
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
      .meta({ description: 'Until then a failed payment keeps the limits of the plan' }),
  })
  .meta({ id: 'BillingStatus' });

export const Meter = z
  .object({
    state: z.enum(['active', 'inactive']),
    included: count,
    used: count,
    overage: count.meta({ description: 'Analyses beyond the included ones, billed one by one' }),
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
      description: 'Files that wait, retained sources, reports, and uploads under way',
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
      .meta({ description: 'Days of the month with use, in order; together they are the credits used' }),
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
            'In the smallest unit of the currency, billed at once; below zero it is credited to the next invoice',
        }),
        currency: z.string().meta({ examples: ['usd'] }),
      })
      .nullable()
      .meta({
        description: 'For a workspace that pays already: what the change costs for the rest of the month',
      }),
  })
  .meta({ id: 'CheckoutSession', description: 'Send the person to `url`' });

export const PortalSession = z
  .object(sessionFields)
  .meta({ id: 'PortalSession', description: 'Send the person to `url`' });

export const PaymentEventReceipt = z
  .object({ accepted: z.boolean(), event_type: z.string() })
  .meta({ id: 'PaymentEventReceipt', examples: [{ accepted: true, event_type: 'invoice.paid' }] });
