import { operations } from '@earshot/contract';
import { requestOf, withIdempotency } from '../http/idempotency.ts';
import { type Implementation, implement } from '../http/implement.ts';
import { answerPage } from '../http/page.ts';
import { assertUrlsAllowed } from '../platform/allowed-urls.ts';
import { deliverDue, listDeliveries, testEndpoint } from './deliveries.ts';
import * as endpoints from './endpoints.ts';
import { presentDelivery, presentEndpoint, presentSecret } from './present.ts';

const { webhooks } = operations;

export const webhookRoutes: Implementation[] = [
  implement(webhooks.createWebhookEndpoint, async (ctx, { body }, raw) => {
    const check = () => assertUrlsAllowed(ctx, [{ url: body.url, loc: ['body', 'url'] }]);
    return withIdempotency(ctx, { ...requestOf(webhooks.createWebhookEndpoint, raw), check }, async (tx) => {
      const { endpoint, secret } = await endpoints.createEndpoint(ctx, tx, {
        url: body.url,
        description: body.description ?? null,
        eventTypes: body.event_types ?? [],
      });
      return { status: 201, body: { ...presentEndpoint(endpoint), signing_secret: secret } };
    });
  }),

  implement(webhooks.listWebhookEndpoints, (ctx, { query }, raw) =>
    answerPage(raw, query, (page) => endpoints.listEndpoints(ctx, page), presentEndpoint),
  ),

  implement(webhooks.getWebhookEndpoint, async (ctx, { params }) => ({
    status: 200,
    body: presentEndpoint(await endpoints.getEndpoint(ctx, params.endpoint_id)),
  })),

  implement(webhooks.updateWebhookEndpoint, async (ctx, { params, body }) => {
    const endpoint = await endpoints.updateEndpoint(ctx, params.endpoint_id, {
      ...(body.url === undefined ? {} : { url: body.url }),
      ...(body.description === undefined ? {} : { description: body.description }),
      ...(body.event_types === undefined ? {} : { eventTypes: body.event_types ?? [] }),
      ...(body.status === undefined ? {} : { status: body.status }),
    });
    return { status: 200, body: presentEndpoint(endpoint) };
  }),

  implement(webhooks.deleteWebhookEndpoint, async (ctx, { params }) => {
    await endpoints.deleteEndpoint(ctx, params.endpoint_id);
    return { status: 200, body: { deleted: true } };
  }),

  // Without idempotency, repeating a rotation whose response was lost would drop the secret still in use before its day of overlap ends.
  implement(webhooks.rotateWebhookSecret, (ctx, { params }, raw) =>
    withIdempotency(ctx, requestOf(webhooks.rotateWebhookSecret, raw), async (tx) => ({
      status: 200,
      body: presentSecret(await endpoints.rotateEndpointSecret(ctx, tx, params.endpoint_id)),
    })),
  ),

  implement(webhooks.testWebhookEndpoint, async (ctx, { params }) => ({
    status: 200,
    body: presentDelivery(await testEndpoint(ctx, params.endpoint_id)),
  })),

  implement(webhooks.getDefaultSigningSecret, async (ctx) => ({
    status: 200,
    body: presentSecret(await endpoints.getDefaultSecret(ctx)),
  })),

  implement(webhooks.rotateDefaultSigningSecret, (ctx, _input, raw) =>
    withIdempotency(ctx, requestOf(webhooks.rotateDefaultSigningSecret, raw), async (tx) => ({
      status: 200,
      body: presentSecret(await endpoints.rotateDefaultSecret(ctx, tx)),
    })),
  ),

  implement(webhooks.listWebhookDeliveries, (ctx, { query }, raw) =>
    answerPage(raw, query, (page) => listDeliveries(ctx, page), presentDelivery),
  ),

  implement(webhooks.deliverWebhooks, async (ctx, { query }) => ({
    status: 200,
    body: await deliverDue(ctx, { force: query.force }),
  })),
];
