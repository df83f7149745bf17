import type { OperationKind } from './driver.ts';
import type { Answer } from './http-call.ts';
import type { Random } from './random.ts';
import type { Tenant } from './tenant.ts';
import { makeTone } from './tone.ts';
import { fileForm } from './upload.ts';
import type { World } from './world.ts';

type Send = (path: string, init: RequestInit) => Promise<Answer>;

export type Submission = {
  key: string | null;
  jobsAsked: number;
  auth: 'key' | 'session';
  /** May be called again, and then sends the same bytes with the same key. */
  send(request: Send): Promise<Answer>;
};

/** URLs to use instead of the stand-ins' own: with other host names, or of other servers. */
export type Places = { originUrl?: string; ownUrl?: string };

/** A submission of that kind. The audio's name contains the tenant's marker and the operation's number. */
export function submissionOf(
  kind: OperationKind,
  op: number,
  tenant: Tenant,
  world: Pick<World, 'origin' | 'seed'>,
  random: Random,
  places: Places = {},
): Submission {
  const key = random.chance(0.85) ? `${world.seed}-op-${op}-${random.integer(1, 1e9)}` : null;
  const name = `${tenant.marker}-op${op}`;
  const audioUrl = (index = 0) => `${places.originUrl ?? world.origin.url}/${name}-${index}.wav`;
  const ownUrl = places.ownUrl ?? (random.chance(0.5) ? tenant.ownUrl : null);
  const webhook: Record<string, string> = ownUrl === null ? {} : { webhook_url: ownUrl };
  const single = { key, jobsAsked: 1, auth: 'key' } as const;
  switch (kind) {
    case 'upload': {
      const bytes = makeTone({ toneHz: 200 + (op % 900) });
      const form = () => fileForm({ name: `${name}-0.wav`, bytes }, webhook);
      const send = (request: Send) =>
        request('/v1/analyze/upload', { method: 'POST', headers: keyHeader(key), body: form() });
      return { ...single, send };
    }
    case 'batch': {
      const jobsAsked = random.integer(2, 4);
      const items = Array.from({ length: jobsAsked }, (_, index) => ({ url: audioUrl(index), ...webhook }));
      return { ...single, jobsAsked, send: (request) => post(request, '/v1/batch', { items }, key) };
    }
    case 'object':
      return { ...single, send: (request) => sendThroughObject(request, name, op, tenant, key) };
    case 'session': {
      const metadata = { marker: tenant.marker };
      const body = { source_url: audioUrl(), ...webhook, features: ['loudness'], metadata };
      return { ...single, auth: 'session', send: (request) => post(request, '/v1/analyses', body, key) };
    }
    default: {
      const served = kind === 'broken' ? 'not-audio' : kind;
      const url = kind === 'url' ? audioUrl() : `${audioUrl()}?as=${served}`;
      return { ...single, send: (request) => post(request, '/v1/analyze/url', { url, ...webhook }, key) };
    }
  }
}

function keyHeader(key: string | null): Record<string, string> {
  return key === null ? {} : { 'idempotency-key': key };
}

function post(request: Send, path: string, body: object, key: string | null): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...keyHeader(key) };
  return request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Three requests, each of which may be lost and repeated: for a slot, with the bytes, and for the analysis. */
async function sendThroughObject(
  request: Send,
  name: string,
  op: number,
  tenant: Tenant,
  key: string | null,
): Promise<Answer> {
  // A key stands for one request, whatever its route, so each of the two has its own.
  const keyFor = (purpose: string) => key && `${key}-${purpose}`;
  const file = { content_type: 'audio/wav', file_name: `${name}-0.wav` };
  const slot = await post(request, '/v1/storage-objects', file, keyFor('slot'));
  if (slot.kind !== 'answer' || slot.status !== 201) return refusalOf(slot);
  const { id, signed_url } = slot.body as { id: string; signed_url: string };
  const put = await request(placeOf(signed_url), {
    method: 'PUT',
    headers: { 'content-type': 'audio/wav' },
    body: new Uint8Array(makeTone({ toneHz: 250 + (op % 800) })),
  });
  // After a refusal the analysis is still requested, and decides: the bytes may be there already, or deleted with a job whose answer was lost.
  if (put.kind === 'unknown' || put.status >= 500 || put.status === 429) return put;
  const analysis = {
    storage_object_id: id,
    features: ['loudness'],
    metadata: { marker: tenant.marker },
    // Audio of every third job is kept, for the checker to compare with what was sent.
    retain_source: op % 3 === 0,
  };
  return post(request, '/v1/analyses', analysis, keyFor('analysis'));
}

/** A slot of the service is reached at any of its processes, so only the path is kept; a store has a host of its own. */
function placeOf(signedUrl: string): string {
  const { pathname, search } = new URL(signedUrl);
  return pathname.startsWith('/v1/') ? `${pathname}${search}` : signedUrl;
}

/** Nothing was submitted yet, and the next try may succeed: the outcome is unknown. */
function refusalOf(answer: Answer): Answer {
  if (answer.kind === 'unknown' || answer.status >= 500) return answer;
  return { kind: 'unknown', reason: `on the way to the submission: ${answer.status} ${answer.code}` };
}
