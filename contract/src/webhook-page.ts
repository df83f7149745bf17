import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './event-names.ts';
import { exampleOf } from './openapi/examples.ts';
import { createSchemaComponents } from './openapi/schema-components.ts';
import { WEBHOOK_CALLS } from './resources/webhook-payload.ts';

/** The text of docs/webhook-events.md: an example of the body of every call. */
export function buildWebhookPage(): string {
  return [HEAD, ...WEBHOOK_EVENT_TYPES.map(describeCall)].join('\n');
}

const HEAD = `# Webhook events

<!-- Written by \`npm run openapi\` from contract/src/resources/webhook-payload.ts. -->

Every call is a \`POST\` of JSON with the headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`
([Standard Webhooks](guides/webhooks.md)). The schemas are in the \`webhooks\` section of \`/openapi.json\`. New members may
appear; those named here stay.
`;

function describeCall(type: WebhookEventType): string {
  const { summary, schema } = WEBHOOK_CALLS[type];
  const components = createSchemaComponents();
  const example = exampleOf(components.convert(schema), components.all());
  return `## ${type}

${summary}.

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`
`;
}
