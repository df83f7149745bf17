import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  deliverWebhooks,
  getDefaultSigningSecret,
  getWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  rotateDefaultSigningSecret,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '@earshot/contract';
import { requestOf, withIdempotency } from '../http/idempotency.ts';
import { type Implementation, implement } from '../http/implement.ts';
import { answerPage } from '../http/page.ts';
import { assertUrlsAllowed } from '../platform/allowed-urls.ts';
import { deliverDue, listDeliveries, testEndpoint } from './deliveries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  getDefaultSecret,
  getEndpoint,
  listEndpoints,
  rotateDefaultSecret,
  rotateEndpointSecret,
  updateEndpoint,
} from './endpoints.ts';
import { presentDelivery, presentEndpoint, presentSecret } from './present.ts';

export const webhookRoutes: Implementation[] = [
  implement(createWebhookEndpoint, async (ctx, { body }, raw) => {
    const check = () => assertUrlsAllowed(ctx, [{ url: body.url, loc: ['body', 'url'] }]);
    return withIdempotency(ctx, { ...requestOf(createWebhookEndpoint, raw), check }, async (tx) => {
      const { endpoint, secret } = await createEndpoint(ctx, tx, {
        url: body.url,
        description: body.description ?? null,
        eventTypes: body.event_types ?? [],
      });
      return { status: 201, body: { ...presentEndpoint(endpoint), signing_secret: secret } };
    });
  }),

  implement(listWebhookEndpoints, (ctx, { query }, raw) =>
    answerPage(raw, query, (page) => listEndpoints(ctx, page), presentEndpoint),
  ),

  implement(getWebhookEndpoint, async (ctx, { params }) => ({
    status: 200,
    body: presentEndpoint(await getEndpoint(ctx, params.endpoint_id)),
  })),

  implement(updateWebhookEndpoint, async (ctx, { params, body }) => {
    const endpoint = await updateEndpoint(ctx, params.endpoint_id, {
      ...(body.url === undefined ? {} : { url: body.url }),
      ...(body.description === undefined ? {} : { description: body.description }),
      ...(body.event_types === undefined ? {} : { eventTypes: body.event_types ?? [] }),
      ...(body.status === undefined ? {} : { status: body.status }),
    });
    return { status: 200, body: presentEndpoint(endpoint) };
  }),

  implement(deleteWebhookEndpoint, async (ctx, { params }) => {
    await deleteEndpoint(ctx, params.endpoint_id);
    return { status: 200, body: { deleted: true } };
  }),

  // Without idempotency, repeating a rotation whose response was lost would drop the secret still in use before its day of overlap ends.
  implement(rotateWebhookSecret, (ctx, { params }, raw) =>
    withIdempotency(ctx, requestOf(rotateWebhookSecret, raw), async (tx) => ({
      status: 200,
      body: presentSecret(await rotateEndpointSecret(ctx, tx, params.endpoint_id)),
    })),
  ),

  implement(testWebhookEndpoint, async (ctx, { params }) => ({
    status: 200,
    body: presentDelivery(await testEndpoint(ctx, params.endpoint_id)),
  })),

  implement(getDefaultSigningSecret, async (ctx) => ({
    status: 200,
    body: presentSecret(await getDefaultSecret(ctx)),
  })),

  implement(rotateDefaultSigningSecret, (ctx, _input, raw) =>
    withIdempotency(ctx, requestOf(rotateDefaultSigningSecret, raw), async (tx) => ({
      status: 200,
      body: presentSecret(await rotateDefaultSecret(ctx, tx)),
    })),
  ),

  implement(listWebhookDeliveries, (ctx, { query }, raw) =>
    answerPage(raw, query, (page) => listDeliveries(ctx, page), presentDelivery),
  ),

  implement(deliverWebhooks, async (ctx, { query }) => ({
    status: 200,
    body: await deliverDue(ctx, { force: query.force }),
  })),
];
