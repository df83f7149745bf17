import type { Operation } from '@earshot/contract';
import { type SourcePage, twinAddressOf } from './read-pages.ts';

type ListedPage = SourcePage & { title: string; summary: string };

/** /llms.txt: what a language model needs to write a working client, a link to every page, and every route on a line. */
export function buildLlmsText(
  pages: readonly ListedPage[],
  operations: readonly Operation[],
  baseUrl: string,
): string {
  return `${introduction(baseUrl)}\n\n${listPages(pages, baseUrl)}\n${listRoutes(operations)}\n`;
}

/** /llms-full.txt: every page in full, one after another. */
export function buildLlmsFullText(pages: readonly SourcePage[], baseUrl: string): string {
  const texts = pages.map(
    (page) => `<!-- ${baseUrl}${twinAddressOf(page)} -->\n\n${page.markdown.trimEnd()}\n`,
  );
  return texts.join('\n');
}

function listPages(pages: readonly ListedPage[], baseUrl: string): string {
  const groups = [...new Set(pages.map(({ group }) => group))];
  return groups
    .map((group) => {
      const lines = pages
        .filter((page) => page.group === group)
        .map((page) => `- [${page.title}](${baseUrl}${twinAddressOf(page)}): ${shorten(page.summary)}`);
      return `## ${group}\n\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

/** Keeps an entry of the list to about one line. */
const SUMMARY_CHARACTERS_MAX = 160;

function shorten(text: string): string {
  if (text.length <= SUMMARY_CHARACTERS_MAX) return text;
  const space = text.lastIndexOf(' ', SUMMARY_CHARACTERS_MAX);
  return `${text.slice(0, space === -1 ? SUMMARY_CHARACTERS_MAX : space)} …`;
}

function listRoutes(operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return tags
    .flatMap((tag) => [
      `\n## Routes: ${tag}\n`,
      ...operations
        .filter((operation) => operation.tag === tag)
        .map(
          ({ method, path, summary, idempotent }) =>
            `- \`${method} ${path}\`: ${summary}${idempotent ? ' (`Idempotency-Key`)' : ''}`,
        ),
    ])
    .join('\n');
}

function introduction(baseUrl: string): string {
  return `# Earshot

> Audio analysis over HTTP: tempo, beats, key, chords, sections, genre, mood, voice, loudness and quality, each with a confidence.

Full contract: ${baseUrl}/openapi.json (OpenAPI 3.1). All pages in one file: ${baseUrl}/llms-full.txt

## Quick start

1. \`POST ${baseUrl}/v1/auth/register\` with \`{"email":"you@example.com"}\` gives \`api_key\` (shown only once).
2. \`POST ${baseUrl}/v1/analyze/upload\` as multipart with the field \`file\`, header \`X-API-Key\`, gives 202 and \`job_id\`.
3. \`GET ${baseUrl}/v1/analysis/{job_id}\` answers 202 while \`status\` is \`processing\` (wait as \`Retry-After\` says, or send
   \`Prefer: wait=30\`), then 200: \`completed\` with \`result.bpm\`, \`result.key\`, \`result.scale\`, \`result.loudness_lufs\` and more,
   or \`failed\` with \`error\`, \`error_code\` and \`retryable\`.

## Rules that hold everywhere

- The same API key works as \`X-API-Key\` and as \`Authorization: Bearer\`. Session tokens are bearers.
- Send \`Idempotency-Key\` to the routes marked with it below; repeating a request with the same key gives the same answer.
- 422 has \`detail\` as a list of faults with \`loc\`, \`msg\`, \`type\`; every other error has \`detail\`, \`code\`, \`request_id\`.
- Lists: \`?limit=\` up to 100 (songs: 200); for the next page, request the address in the \`Link\` header.
- What could not be estimated is null, with its reason in \`result.unavailable\`; never 0 or a guess.`;
}
