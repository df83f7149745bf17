import type { Operation } from '@earshot/contract';

/** /llms.txt: what a language model needs to write a working client, in one screen, then every route in a line. */
export function buildLlmsText(operations: readonly Operation[], baseUrl: string): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const routes = tags.flatMap((tag) => [
    `\n## ${tag}\n`,
    ...operations
      .filter((operation) => operation.tag === tag)
      .map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`),
  ]);
  return `${introduction(baseUrl)}\n${routes.join('\n')}\n`;
}

function introduction(baseUrl: string): string {
  return `# Earshot

> Audio analysis over HTTP: tempo, beats, key, chords, sections, loudness and quality, each with a confidence.

Full contract: ${baseUrl}/openapi.json (OpenAPI 3.1). Reference for people: ${baseUrl}/docs

## The shortest way

1. \`POST ${baseUrl}/v1/auth/register\` with \`{"email":"you@example.com"}\` gives \`api_key\` (told once).
2. \`POST ${baseUrl}/v1/analyze/upload\` as multipart with the field \`file\`, header \`X-API-Key\`, gives 202 and \`job_id\`.
3. \`GET ${baseUrl}/v1/analysis/{job_id}\` answers 202 while \`status\` is \`processing\` (wait as \`Retry-After\` says, or send
   \`Prefer: wait=30\`), then 200 with \`result.bpm\`, \`result.key\`, \`result.scale\`, \`result.loudness_lufs\` and more.

## Rules that hold everywhere

- The same API key works as \`X-API-Key\` and as \`Authorization: Bearer\`. Session tokens are bearers.
- Send \`Idempotency-Key\` with every POST that creates something; repeating it gives the same answer.
- 422 has \`detail\` as a list of faults with \`loc\`, \`msg\`, \`type\`; every other error has \`detail\`, \`code\`, \`request_id\`.
- Lists: \`?limit=\` up to 100 and \`?after=<id>\`; the next page is in the \`Link\` header.
- What could not be estimated is null, with its reason in \`result.unavailable\`; never 0 or a guess.`;
}
