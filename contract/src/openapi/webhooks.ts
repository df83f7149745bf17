import { WEBHOOK_EVENT_TYPES } from '../event-names.ts';
import { WEBHOOK_CALLS } from '../resources/webhook-payload.ts';
import type { JsonSchema, SchemaComponents } from './schema-components.ts';

const HEADERS = [
  ['webhook-id', 'Identifies the delivery. It is the same on every retry, so that repeats can be recognised'],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970'],
  ['webhook-signature', '`v1,<base64>` for each valid secret: HMAC-SHA256 of `id.timestamp.body`'],
] as const;

/** The webhooks in the document. The roles are reversed here: we send the request, and the receiver responds. */
export function describeWebhooks(components: SchemaComponents): JsonSchema {
  return Object.fromEntries(
    WEBHOOK_EVENT_TYPES.map((type) => {
      const { summary, schema } = WEBHOOK_CALLS[type];
      const post = {
        operationId: `${type.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase())}Webhook`,
        summary,
        tags: ['Webhooks'],
        // The signature proves that the call is ours; there are no credentials.
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
          '2XX': { description: 'Accepted' },
          '410': { description: 'No longer wanted; we disable the endpoint' },
          default: { description: 'Not accepted; we retry for three days' },
        },
      };
      return [type, { post }];
    }),
  );
}
