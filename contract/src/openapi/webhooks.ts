import { WEBHOOK_EVENT_TYPES } from '../event-names.ts';
import { WEBHOOK_CALLS } from '../resources/webhook-payload.ts';
import type { JsonSchema, SchemaComponents } from './schema-components.ts';

const HEADERS = [
  ['webhook-id', 'The delivery: the same on every retry, so that a repeat is known'],
  ['webhook-timestamp', 'Seconds since 1970, when this attempt was made'],
  ['webhook-signature', '`v1,<base64>` for each valid secret: HMAC-SHA256 of `id.timestamp.body`'],
] as const;

/** The webhooks in the document. Here the roles are reversed: we call, and the receiver answers. */
export function describeWebhooks(components: SchemaComponents): JsonSchema {
  return Object.fromEntries(
    WEBHOOK_EVENT_TYPES.map((type) => {
      const { summary, schema } = WEBHOOK_CALLS[type];
      const post = {
        operationId: `${type.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase())}Webhook`,
        summary,
        tags: ['Webhooks'],
        // The signature proves that we are the caller; there are no credentials.
        security: [],
        parameters: HEADERS.map(([name, description]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: components.convert(schema) } },
        },
        responses: {
          '2XX': { description: 'Taken' },
          '410': { description: 'Not wanted any more: the endpoint is disabled' },
          default: { description: 'Not taken: it is sent again for three days' },
        },
      };
      return [type, { post }];
    }),
  );
}
