import { allOperations, buildOpenApiDocument, CONTRACT_VERSION, type Operation } from '@earshot/contract';
import { expect, it } from 'vitest';
import { writeReference, writeRouteList } from './reference.ts';

const reference = writeReference(allOperations, buildOpenApiDocument(allOperations, CONTRACT_VERSION));

/** The part of the reference about one operation. */
function sectionOf(id: string): string {
  const section = reference.split(/\n(?=##)/).find((part) => part.includes(` <a id="${id}"></a>`));
  return section ?? expect.unreachable(`the reference lacks ${id}`);
}

it.each([
  ['getHealth', 'curl "http://localhost:8080/health"'],
  [
    'getKeyAnalysis',
    'curl "http://localhost:8080/v1/analysis/{job_id}" \\\n  -H "X-API-Key: $EARSHOT_API_KEY"',
  ],
  [
    'revokeApiKey',
    'curl -X DELETE "http://localhost:8080/v1/api-keys/{api_key_id}" \\\n  -H "Authorization: Bearer $EARSHOT_API_KEY"',
  ],
])('shows how to call %s with curl', (id, command) => {
  expect(sectionOf(id)).toContain(`\`\`\`sh\n${command}\n\`\`\``);
});

it('shows a JSON body for curl and for the client', () => {
  const section = sectionOf('startSignIn');
  expect(section).toMatch(
    / \\\n {2}-H 'content-type: application\/json' \\\n {2}-d '\{"email":"[^']+'\n```\n/,
  );
  expect(section).toMatch(
    /```ts\nawait earshot\.request\('startSignIn', \{ body: \{"email":"[^\n]+ \}\);\n```/,
  );
});

it('shows the parameters of the path for the client, and none for an operational route', () => {
  expect(sectionOf('revokeApiKey')).toContain(
    "await earshot.request('revokeApiKey', { params: { api_key_id: '…' } });",
  );
  expect(sectionOf('getHealth')).not.toContain('```ts');
});

it('lists errors by status, each linked to its description', () => {
  expect(sectionOf('revokeApiKey')).toMatch(
    /\nErrors: .*401 \[`unauthorized`\]\(errors\.md#unauthorized\).*; 403 .*; 404 \[`not_found`\]\(errors\.md#not_found\)/,
  );
});

it('puts the routes of a first look first and those for machines and testers last', () => {
  const tags = [...writeRouteList(allOperations).matchAll(/^### (.+)$/gm)].map(([, tag]) => tag);
  expect(tags.slice(0, 2)).toEqual(['Key-based analysis', 'Analyses']);
  expect(tags.slice(-2)).toEqual(['Billing sandbox', 'Operational']);
  expect(tags.toSorted()).toEqual([...new Set(allOperations.map(({ tag }: Operation) => tag))].toSorted());
});
