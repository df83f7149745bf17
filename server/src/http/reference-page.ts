import {
  ERROR_MEANINGS,
  ERROR_STATUS,
  errorCodesOf,
  exampleOf,
  type JsonSchema,
  type Operation,
  validatesInput,
} from '@earshot/contract';
import { escapeHtml, htmlPage } from './html.ts';

/**
 * The reference as one page: written on the server from the same document that is published, without a script, so that it
 * opens offline and in any browser. Each route shows who may call it, what it takes, a curl line and every answer.
 */
export function buildReferencePage(operations: readonly Operation[], document: JsonSchema): string {
  const schemas = (document.components as { schemas: Record<string, JsonSchema> }).schemas;
  const paths = document.paths as Record<string, Record<string, DocumentedOperation>>;
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const sections = tags.map((tag) => {
    const routes = operations
      .filter((operation) => operation.tag === tag)
      .map((operation) =>
        showRoute(operation, paths[operation.path]?.[operation.method.toLowerCase()], schemas),
      );
    return `<section><h2 id="${anchor(tag)}">${escapeHtml(tag)}</h2>${routes.join('')}</section>`;
  });
  const body = `<nav><strong>Earshot</strong>${showNavigation(tags, operations)}</nav>
<main><h1>Earshot reference</h1>${showIntroduction(document)}${sections.join('')}${showSchemas(schemas)}</main>`;
  return htmlPage({ title: 'Earshot reference', style: STYLE, body });
}

type Content = Record<string, { schema?: JsonSchema; example?: unknown }>;
type DocumentedOperation = {
  description?: string;
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: JsonSchema }[];
  requestBody?: { content: Content; description?: string };
  responses: Record<string, { description?: string; content?: Content }>;
};

function showNavigation(tags: readonly string[], operations: readonly Operation[]): string {
  return tags
    .map((tag) => {
      const links = operations
        .filter((operation) => operation.tag === tag)
        .map(({ id, summary }) => `<a href="#${id}">${escapeHtml(summary)}</a>`);
      return `<details><summary>${escapeHtml(tag)}</summary>${links.join('')}</details>`;
    })
    .join('');
}

function showIntroduction(document: JsonSchema): string {
  const { description } = document.info as { description: string };
  const paragraphs = description.split('\n\n').map((text) => `<p>${formatText(text)}</p>`);
  return `${paragraphs.join('')}<p>Machine-readable: <a href="/openapi.json">openapi.json</a>,
<a href="/openapi.yaml">openapi.yaml</a>, <a href="/llms.txt">llms.txt</a>.</p>`;
}

function showRoute(
  operation: Operation,
  documented: DocumentedOperation | undefined,
  schemas: Record<string, JsonSchema>,
): string {
  if (!documented) return '';
  const { id, method, path, summary } = operation;
  const description = (documented.description ?? '')
    .split('\n\n')
    .map((text) => `<p>${formatText(text)}</p>`);
  return `<article id="${id}"><h3>${escapeHtml(summary)}</h3>
<p class="route"><b class="${method.toLowerCase()}">${method}</b> <code>${escapeHtml(path)}</code></p>
${description.join('')}${showParameters(documented)}${showCurl(operation, documented)}
${showAnswers(operation, documented, schemas)}</article>`;
}

function showParameters({ parameters = [] }: DocumentedOperation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? '' : ', optional'}</td>
<td>${escapeHtml(nameType(schema))}</td><td>${formatText(description ?? '')}</td></tr>`,
  );
  return `<table>${rows.join('')}</table>`;
}

function showCurl(operation: Operation, documented: DocumentedOperation): string {
  const lines = [
    `curl${operation.method === 'GET' ? '' : ` -X ${operation.method}`} "$BASE_URL${operation.path}"`,
  ];
  if (operation.policy.access === 'workspace') {
    lines.push(
      operation.surface === 'key' ? '-H "X-API-Key: $API_KEY"' : '-H "Authorization: Bearer $TOKEN"',
    );
  }
  const [type, content] = Object.entries(documented.requestBody?.content ?? {})[0] ?? [];
  if (type === 'application/json' && content?.example !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(content.example)}'`);
  } else if (type === 'multipart/form-data') lines.push('-F file=@song.mp3');
  else if (type !== undefined) lines.push(`-H 'Content-Type: ${type}'`, '--data-binary @file');
  return `<pre>${escapeHtml(lines.join(' \\\n  '))}</pre>`;
}

const EXAMPLE_CHARACTERS_MAX = 2_000;

function showAnswers(
  operation: Operation,
  documented: DocumentedOperation,
  schemas: Record<string, JsonSchema>,
): string {
  const successes = Object.keys(operation.responses).map((status) => {
    const answer = documented.responses[status];
    const [type, content] = Object.entries(answer?.content ?? {})[0] ?? [];
    const schema = content?.schema;
    const shown = type === 'application/json' && schema && Object.keys(schema).length > 0;
    const example = shown ? JSON.stringify(exampleOf(schema, schemas), null, 2) : null;
    const cut = example !== null && example.length > EXAMPLE_CHARACTERS_MAX;
    return `<details><summary><b>${status}</b> ${formatText(answer?.description ?? '')} ${schema ? linkType(schema) : ''}</summary>
${example === null ? '' : `<pre>${escapeHtml(cut ? `${example.slice(0, EXAMPLE_CHARACTERS_MAX)}\n…` : example)}</pre>`}</details>`;
  });
  const codes = errorCodesOf(operation).toSorted((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b]);
  const errors = codes.map(
    (code) =>
      `<li><b>${ERROR_STATUS[code]}</b> <code>${code}</code> ${escapeHtml(ERROR_MEANINGS[code].meaning)}</li>`,
  );
  const invalid = validatesInput(operation)
    ? `<li><b>422</b> The input does not fit: ${linkName('ValidationProblem')}</li>`
    : '';
  return `${successes.join('')}<details><summary>Errors</summary><ul>${invalid}${errors.join('')}</ul></details>`;
}

function showSchemas(schemas: Record<string, JsonSchema>): string {
  const shown = Object.entries(schemas).map(([name, schema]) => {
    const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
    const required = new Set((schema.required ?? []) as string[]);
    const rows = Object.entries(properties).map(
      ([field, type]) =>
        `<tr><td><code>${escapeHtml(field)}</code></td><td>${required.has(field) ? '' : 'optional'}</td>
<td>${linkType(type)}</td><td>${formatText(String(type.description ?? ''))}</td></tr>`,
    );
    const text = rows.length > 0 ? `<table>${rows.join('')}</table>` : `<p>${linkType(schema)}</p>`;
    return `<article id="schema-${name}"><h3>${name}</h3>${formatText(String(schema.description ?? ''))}${text}</article>`;
  });
  return `<section><h2 id="schemas">Schemas</h2>${shown.join('')}</section>`;
}

function linkName(name: string): string {
  return `<a href="#schema-${name}">${name}</a>`;
}

/** The type in words, with names that are links. */
function linkType(schema: JsonSchema): string {
  return escapeHtml(nameType(schema)).replaceAll(/@(\w+)/g, (_, name: string) => linkName(name));
}

function nameType(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') return `@${schema.$ref.split('/').at(-1)}`;
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (choices) return choices.map(nameType).join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.type === 'array') return `array of ${nameType((schema.items ?? {}) as JsonSchema)}`;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any');
  return schema.format ? `${type} (${schema.format})` : type;
}

/** Escaped, with `code` in backticks. */
function formatText(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function anchor(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

const STYLE = `:root{color-scheme:light dark;--line:#8883;--soft:#8881}
*{box-sizing:border-box}body{margin:0;font:16px/1.55 system-ui,sans-serif;display:grid;grid-template-columns:18rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem;border-right:1px solid var(--line);font-size:.875rem}
nav a{display:block;padding:.15rem 0 .15rem 1rem;text-decoration:none;color:inherit;opacity:.85}nav a:hover{opacity:1;text-decoration:underline}
nav summary{padding:.3rem 0;cursor:pointer;font-weight:600}main{max-width:56rem;padding:2rem 2rem 6rem}
h2{margin-top:3rem;border-bottom:1px solid var(--line)}article{padding:1rem 0 1.5rem;border-bottom:1px solid var(--line)}
h3{margin:.5rem 0}code,pre{font:.875em/1.5 ui-monospace,monospace}pre{background:var(--soft);padding:.8rem 1rem;border-radius:.5rem;overflow:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}td{border-top:1px solid var(--line);padding:.35rem .8rem .35rem 0;vertical-align:top}
.route b{font:600 .8rem ui-monospace,monospace;padding:.15rem .45rem;border-radius:.3rem;color:#fff;background:#64748b}
.route .get{background:#2563eb}.route .post{background:#15803d}.route .patch,.route .put{background:#b45309}.route .delete{background:#b91c1c}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}}`;
