import {
  ERROR_STATUS,
  errorCodesOf,
  exampleOf,
  type JsonSchema,
  type Operation,
  validatesInput,
} from '@earshot/contract';
import { truncateText } from '../platform/truncate-text.ts';
import { escapeCell, nameType, writeSchemas } from './reference-schemas.ts';

/**
 * The reference as Markdown, from the published OpenAPI document. The renderer of the other pages then gives it anchors, search and a
 * Markdown version.
 */
export function writeReference(operations: readonly Operation[], document: JsonSchema): string {
  const { schemas } = document.components as { schemas: Record<string, JsonSchema> };
  const paths = document.paths as Record<string, Record<string, DocumentedOperation>>;
  const { description } = document.info as { description: string };
  const parts = tagsOf(operations).map((tag) => {
    const routes = operations
      .filter((operation) => operation.tag === tag)
      .map((operation) => {
        const documented = paths[operation.path]?.[operation.method.toLowerCase()];
        return documented ? writeRoute(operation, documented, schemas) : '';
      });
    return `## ${tag}\n\n${routes.join('\n')}`;
  });
  return `# API reference

Every route of the service: who may call it, what it takes, what it answers. The same as a machine reads it:
[openapi.json](/openapi.json), [openapi.yaml](/openapi.yaml).

${description}

${parts.join('\n')}
${writeSchemas(schemas)}`;
}

/** The list of routes on the first page. */
export function writeRouteList(operations: readonly Operation[]): string {
  const parts = tagsOf(operations).map((tag) => {
    const lines = operations
      .filter((operation) => operation.tag === tag)
      .map(
        ({ id, method, path, summary }) => `| [\`${method} ${path}\`](/docs/reference#${id}) | ${summary} |`,
      );
    return `### ${tag}\n\n| | |\n|---|---|\n${lines.join('\n')}\n`;
  });
  return `\n## Every route\n\n${parts.join('\n')}`;
}

/** Most readers look for the first; the last are called only by machines and testers. */
const FIRST_TAGS = ['Key-based analysis', 'Analyses'];
const LAST_TAGS = ['Billing sandbox', 'Operational'];

function tagsOf(operations: readonly Operation[]): string[] {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const named = new Set([...FIRST_TAGS, ...LAST_TAGS]);
  return [...FIRST_TAGS, ...tags.filter((tag) => !named.has(tag)), ...LAST_TAGS].filter((tag) =>
    tags.includes(tag),
  );
}

type Content = Record<string, { schema?: JsonSchema; example?: unknown }>;
type DocumentedOperation = {
  description?: string;
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: JsonSchema }[];
  requestBody?: { content: Content; description?: string };
  responses: Record<string, { description?: string; content?: Content }>;
};

function writeRoute(
  operation: Operation,
  documented: DocumentedOperation,
  schemas: Record<string, JsonSchema>,
): string {
  const { id, method, path, summary } = operation;
  const parts = [
    `### ${summary} <a id="${id}"></a>`,
    `\`${method} ${path}\``,
    documented.description,
    writeParameters(documented),
    writeBody(documented),
    writeExamples(operation, documented),
    writeAnswers(operation, documented, schemas),
    writeErrors(operation),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function writeParameters({ parameters = [] }: DocumentedOperation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `| \`${name}\` | ${place}${required ? '' : ', optional'} | ${nameType(schema)} | ${escapeCell(description ?? '')} |`,
  );
  return `| Parameter | In | Type | |\n|---|---|---|---|\n${rows.join('\n')}`;
}

function writeBody({ requestBody }: DocumentedOperation): string {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return '';
  const named = content?.schema?.$ref ? `: ${nameType(content.schema)}` : '';
  return [`Body \`${type}\`${named}.`, requestBody?.description].filter(Boolean).join(' ');
}

function writeExamples(operation: Operation, documented: DocumentedOperation): string {
  const [type, content] = Object.entries(documented.requestBody?.content ?? {})[0] ?? [];
  const body = type === 'application/json' ? content?.example : undefined;
  const curl = `\`\`\`sh\n${writeCurl(operation, type, body)}\n\`\`\``;
  if (operation.surface === 'operational' || (type !== undefined && type !== 'application/json')) return curl;
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: '…'`);
  const input = [
    ...(names.length > 0 ? [`params: { ${names.join(', ')} }`] : []),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body)}`]),
  ];
  const argument = input.length === 0 ? '{}' : `{ ${input.join(', ')} }`;
  return `${curl}\n\n\`\`\`ts\nawait earshot.request('${operation.id}', ${argument});\n\`\`\``;
}

function writeCurl(operation: Operation, type: string | undefined, body: unknown): string {
  const method = operation.method === 'GET' ? '' : ` -X ${operation.method}`;
  const lines = [`curl${method} "http://localhost:8080${operation.path}"`];
  if (operation.policy.access === 'workspace') {
    lines.push(
      operation.surface === 'key'
        ? '-H "X-API-Key: $EARSHOT_API_KEY"'
        : '-H "Authorization: Bearer $EARSHOT_API_KEY"',
    );
  }
  if (body !== undefined) lines.push("-H 'content-type: application/json'", `-d '${JSON.stringify(body)}'`);
  else if (type === 'multipart/form-data') lines.push('-F file=@song.mp3');
  else if (type !== undefined) lines.push(`-H 'content-type: ${type}'`, '--data-binary @file');
  return lines.join(' \\\n  ');
}

/** About one screen. */
const EXAMPLE_CHARACTERS_MAX = 2_000;

function writeAnswers(
  operation: Operation,
  documented: DocumentedOperation,
  schemas: Record<string, JsonSchema>,
): string {
  const answers = Object.keys(operation.responses).map((status) => {
    const answer = documented.responses[status];
    const [type, content] = Object.entries(answer?.content ?? {})[0] ?? [];
    const schema = content?.schema;
    const named = schema?.$ref ? ` ${nameType(schema)}` : '';
    const line = `**${status}** ${answer?.description ?? ''}${named}`;
    if (type !== 'application/json' || !schema || Object.keys(schema).length === 0) return line;
    const example = JSON.stringify(exampleOf(schema, schemas), null, 2);
    const shown =
      example.length > EXAMPLE_CHARACTERS_MAX
        ? `${truncateText(example, EXAMPLE_CHARACTERS_MAX)}\n…`
        : example;
    return `${line}\n\n<details><summary>An example</summary>\n\n\`\`\`json\n${shown}\n\`\`\`\n\n</details>`;
  });
  return answers.join('\n\n');
}

/** Grouped by status. */
function writeErrors(operation: Operation): string {
  const byStatus = new Map<number, string[]>();
  const add = (status: number, link: string) => byStatus.set(status, [...(byStatus.get(status) ?? []), link]);
  for (const code of errorCodesOf(operation)) add(ERROR_STATUS[code], `[\`${code}\`](errors.md#${code})`);
  if (validatesInput(operation)) add(422, '[ValidationProblem](#schema-ValidationProblem)');
  const parts = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, links]) => `${status} ${links.join(', ')}`);
  return parts.length === 0 ? '' : `Errors: ${parts.join('; ')}.`;
}
