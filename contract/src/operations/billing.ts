import { z } from 'zod';
import { defineOperation, json } from '../operation.ts';
import {
  BillingStatus,
  CheckoutRequest,
  CheckoutSession,
  KeyBillingStatus,
  PaymentEventReceipt,
  Plans,
  PortalSession,
} from '../resources/billing.ts';
import { pathIds } from '../wire-values.ts';

const shared = { tag: 'Billing' } as const;
const owners = { access: 'workspace', scope: null, role: 'owner' } as const;

export const createCheckoutSession = defineOperation({
  ...shared,
  id: 'createCheckoutSession',
  method: 'POST',
  path: '/v1/billing/checkout-sessions',
  summary: 'Start a subscription, or change the existing one',
  description:
    'For a first subscription, `url` is a checkout page. For a workspace with a subscription, it is a page that shows what the change costs (`proration`) and changes that subscription; a workspace never has two.',
  surface: 'workspace',
  policy: owners,
  body: CheckoutRequest,
  idempotent: true,
  responses: { 201: json('Open its `url` in a browser', CheckoutSession) },
  errors: ['subscription_exists', 'payment_provider_failed', 'payments_not_configured'],
});

export const createPortalSession = defineOperation({
  ...shared,
  id: 'createPortalSession',
  method: 'POST',
  path: '/v1/billing/portal-sessions',
  summary: 'Create a session of the subscription portal',
  surface: 'workspace',
  policy: owners,
  idempotent: true,
  responses: { 201: json('Open its `url` in a browser', PortalSession) },
  errors: ['payment_provider_failed', 'payments_not_configured'],
});

export const getBillingStatus = defineOperation({
  ...shared,
  id: 'getBillingStatus',
  method: 'GET',
  path: '/v1/billing/status',
  summary: 'Read the plan and payment state',
  description: 'With the header `X-API-Key` the response is `KeyBillingStatus`, otherwise `BillingStatus`.',
  surface: 'both',
  policy: { access: 'workspace', scope: 'usage:read', role: 'viewer', unverified: true },
  responses: { 200: json('Billing status', z.union([BillingStatus, KeyBillingStatus])) },
});

export const listPlans = defineOperation({
  ...shared,
  id: 'listPlans',
  method: 'GET',
  path: '/v1/billing/plans',
  summary: 'List the plans with their limits and prices',
  surface: 'both',
  policy: { access: 'public' },
  responses: { 200: json('The plans, smallest first', Plans) },
  errors: ['payment_provider_failed'],
});

const paymentWebhook = {
  ...shared,
  method: 'POST',
  summary: 'Called by the payment provider',
  description: 'The signature is `t=…,v1=…` over the raw body, at most five minutes old.',
  policy: { access: 'signature' },
  headers: z.object({
    'payment-signature': z.string().optional(),
    'stripe-signature': z.string().optional(),
  }),
  rawBody: { contentType: 'application/json', description: "The provider's event", as: 'bytes' },
  // Leaves room for an invoice with many lines. Nothing is parsed before the signature has been verified.
  bodyBytesMax: 262_144,
  responses: { 200: json('Received', PaymentEventReceipt) },
  errors: ['bad_signature'],
} as const;

export const receivePaymentEvent = defineOperation({
  ...paymentWebhook,
  id: 'receivePaymentEvent',
  path: '/v1/billing/payment/webhook',
  surface: 'workspace',
});
export const receiveStripeEvent = defineOperation({
  ...paymentWebhook,
  id: 'receiveStripeEvent',
  path: '/v1/billing/stripe/webhook',
  surface: 'workspace',
});
export const receivePaymentCallback = defineOperation({
  ...paymentWebhook,
  id: 'receivePaymentCallback',
  path: '/webhooks/payment',
  surface: 'both',
});
export const receiveStripeCallback = defineOperation({
  ...paymentWebhook,
  id: 'receiveStripeCallback',
  path: '/webhooks/stripe',
  surface: 'both',
});

const sandbox = {
  tag: 'Billing sandbox',
  surface: 'operational',
  policy: { access: 'signature' },
  errors: ['gone'],
} as const;
const page = { description: 'A page', schema: null, contentType: 'text/html' } as const;
const pressed = (...buttons: string[]) =>
  ({
    contentType: 'application/x-www-form-urlencoded',
    description: 'The button that was pressed',
    as: 'bytes',
    schema: {
      type: 'object',
      required: ['action'],
      properties: { action: { type: 'string', enum: buttons } },
    },
  }) as const;
const back = {
  description: 'Back to the caller',
  schema: null,
  headers: { Location: 'Where to continue' },
} as const;

const change = { ...shared, surface: 'operational', policy: { access: 'signature' } } as const;

export const getPlanChange = defineOperation({
  ...change,
  id: 'getPlanChange',
  method: 'GET',
  path: '/billing/plan-changes/{session_id}',
  summary: 'Show what a change of plan costs',
  params: pathIds('session_id'),
  responses: { 200: page },
  errors: ['gone'],
});
export const submitPlanChange = defineOperation({
  ...change,
  id: 'submitPlanChange',
  method: 'POST',
  path: '/billing/plan-changes/{session_id}',
  summary: 'Confirm or abandon the change of plan',
  params: pathIds('session_id'),
  rawBody: pressed('confirm', 'cancel'),
  responses: { 303: back },
  errors: ['gone', 'conflict', 'payment_provider_failed'],
});

export const getSandboxCheckout = defineOperation({
  ...sandbox,
  id: 'getSandboxCheckout',
  method: 'GET',
  path: '/sandbox/checkout/{session_id}',
  summary: 'The checkout page of the built-in provider',
  params: pathIds('session_id'),
  responses: { 200: page },
});
export const submitSandboxCheckout = defineOperation({
  ...sandbox,
  id: 'submitSandboxCheckout',
  method: 'POST',
  path: '/sandbox/checkout/{session_id}',
  summary: 'Pay or go back, in the built-in provider',
  params: pathIds('session_id'),
  rawBody: pressed('pay', 'cancel'),
  responses: { 303: back },
});
export const getSandboxPortal = defineOperation({
  ...sandbox,
  id: 'getSandboxPortal',
  method: 'GET',
  path: '/sandbox/portal/{session_id}',
  summary: 'The subscription page of the built-in provider',
  params: pathIds('session_id'),
  responses: { 200: page },
});
export const getSandboxInvoice = defineOperation({
  ...sandbox,
  id: 'getSandboxInvoice',
  method: 'GET',
  path: '/sandbox/portal/{session_id}/invoices/{invoice_id}',
  summary: 'An invoice of the built-in provider, to read or print',
  params: pathIds('session_id', 'invoice_id'),
  responses: { 200: page },
});
export const submitSandboxPortal = defineOperation({
  ...sandbox,
  id: 'submitSandboxPortal',
  method: 'POST',
  path: '/sandbox/portal/{session_id}',
  summary: 'Change, cancel or fail a payment in the built-in provider',
  params: pathIds('session_id'),
  rawBody: pressed('pay', 'fail', 'cancel', 'back'),
  responses: { 303: back },
});
