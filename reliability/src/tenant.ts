import { randomBytes } from 'node:crypto';
import type { Fleet } from './fleet.ts';
import type { MailSink } from './stand-ins/mail-sink.ts';
import { type StripeStandIn, subscriptionEvent } from './stand-ins/stripe-stand-in.ts';
import type { WebhookSink } from './stand-ins/webhook-sink.ts';

export type Endpoint = { id: string; url: string; secret: string };

/** A customer: a workspace with its API key, its owner's session and a receiver of its webhooks. */
export type Tenant = {
  name: string;
  /** Part of the name or URL of all its audio. It must never appear in an answer to another tenant. */
  marker: string;
  email: string;
  workspaceId: string;
  apiKey: string;
  sessionToken: string;
  /** Signs the calls to the webhook_url of a job. */
  webhookSecret: string;
  endpoint: Endpoint;
  /** Endpoints added by a scenario. */
  furtherEndpoints: Endpoint[];
  /** The webhook_url of jobs that have one. */
  jobWebhookUrl: string;
  metered: boolean;
};

type Installation = { fleet: Fleet; mail: MailSink; stripe: StripeStandIn; webhooks: WebhookSink };

/** A mail is delivered by a background job, which may wait on a busy machine. */
const MAIL_MS_MAX = 120_000;

export async function createTenant(
  { fleet, mail, stripe, webhooks }: Installation,
  name: string,
  options: { metered: boolean },
): Promise<Tenant> {
  const marker = `mark-${name}-${randomBytes(6).toString('hex')}`;
  const email = `${name}@example.com`;
  const url = await fleet.anyUrl();
  const registered = await post(`${url}/v1/auth/register`, { email });
  // Unless the address is verified, the sign-in would create a workspace without the key.
  await post(`${url}/v1/auth/verify-email`, { token: await mail.verificationTokenFor(email, MAIL_MS_MAX) });
  const challenge = await post(`${url}/v1/auth/email/start`, { email });
  const code = await mail.codeFor(email, MAIL_MS_MAX);
  const session = await post(`${url}/v1/auth/email/verify`, { challenge_id: challenge.challenge_id, code });
  const bearer = { authorization: `Bearer ${session.access_token}` };
  const endpointUrl = `${webhooks.url}/endpoint/${name}`;
  const endpoint = await post(`${url}/v1/webhook-endpoints`, { url: endpointUrl }, bearer);
  const workspaceId = String(registered.workspace_id);
  if (options.metered) await subscribe(url, stripe, workspaceId, bearer);
  return {
    name,
    marker,
    email,
    workspaceId,
    apiKey: String(registered.api_key),
    sessionToken: String(session.access_token),
    webhookSecret: String(registered.webhook_signing_secret),
    endpoint: { id: String(endpoint.id), url: endpointUrl, secret: String(endpoint.signing_secret) },
    furtherEndpoints: [],
    jobWebhookUrl: `${webhooks.url}/own/${name}`,
    metered: options.metered,
  };
}

/** Registers a further receiver of the workspace's events. */
export async function addEndpoint(url: string, webhooks: WebhookSink, tenant: Tenant): Promise<void> {
  const endpointUrl = `${webhooks.url}/endpoint/${tenant.name}/${tenant.furtherEndpoints.length + 1}`;
  const bearer = { authorization: `Bearer ${tenant.sessionToken}` };
  const made = await post(`${url}/v1/webhook-endpoints`, { url: endpointUrl }, bearer);
  tenant.furtherEndpoints.push({
    id: String(made.id),
    url: endpointUrl,
    secret: String(made.signing_secret),
  });
}

async function subscribe(
  url: string,
  stripe: StripeStandIn,
  workspaceId: string,
  bearer: Record<string, string>,
): Promise<void> {
  const plan = { plan: 'scale', success_url: 'https://example.com/', cancel_url: 'https://example.com/' };
  await post(`${url}/v1/billing/checkout-sessions`, plan, bearer);
  const customerId = stripe.customerOf(workspaceId);
  if (customerId === null) throw new Error('The service created no customer at the payment provider');
  const { body, signature } = subscriptionEvent(customerId);
  const response = await fetch(`${url}/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  });
  if (!response.ok) throw new Error(`The payment event was answered ${response.status}`);
}

/** For the setup, before any fault is injected: throws on any status but 2xx. */
async function post(
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
