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
  requestedJobCount: number;
  auth: 'key' | 'session';
  /** May be called again, and then sends the same bytes with the same key. */
  send(request: Send): Promise<Answer>;
};

/** Whether the operations of this kind in a history create jobs. */
export function isSubmission(kind: string): boolean {
  return !['cancel', 'delete', 'read', 'list', 'probe', 'join', 'handover', 'payment'].includes(kind);
}

/** URLs to use instead of those of the stand-ins. */
export type UrlOverrides = { originUrl?: string; webhookUrl?: string };

/**
 * A submission of this kind. The audio's name contains the tenant's marker, so that a leak is noticed, and the operation's number, so that
 * the checker can tell which jobs it created.
 */
export function submissionOf(
  kind: OperationKind,
  op: number,
  tenant: Tenant,
  world: Pick<World, 'origin' | 'seed'>,
  random: Random,
  overrides: UrlOverrides = {},
): Submission {
  // Most submissions have a key, half have a webhook.
  const key = random.chance(0.85) ? `${world.seed}-op-${op}-${random.integer(1, 1e9)}` : null;
  const name = `${tenant.marker}-op${op}`;
  const audioUrl = (index = 0) => `${overrides.originUrl ?? world.origin.url}/${name}-${index}.wav`;
  const webhookUrl = overrides.webhookUrl ?? (random.chance(0.5) ? tenant.jobWebhookUrl : null);
  const webhook: Record<string, string> = webhookUrl === null ? {} : { webhook_url: webhookUrl };
  const single = { key, requestedJobCount: 1, auth: 'key' } as const;
  switch (kind) {
    case 'upload': {
      // The tone depends on the operation, so that few files are alike.
      const bytes = makeTone({ toneHz: 200 + (op % 900) });
      const form = () => fileForm({ name: `${name}-0.wav`, bytes }, webhook);
      const send = (request: Send) =>
        request('/v1/analyze/upload', { method: 'POST', headers: keyHeader(key), body: form() });
      return { ...single, send };
    }
    case 'batch': {
      const requestedJobCount = random.integer(2, 4);
      const items = Array.from({ length: requestedJobCount }, (_, index) => ({
        url: audioUrl(index),
        ...webhook,
      }));
      return { ...single, requestedJobCount, send: (request) => post(request, '/v1/batch', { items }, key) };
    }
    case 'object':
      return { ...single, send: (request) => sendThroughObject(request, name, op, tenant, key) };
    case 'session': {
      const metadata = { marker: tenant.marker };
      const body = { source_url: audioUrl(), ...webhook, features: ['loudness'], metadata };
      return { ...single, auth: 'session', send: (request) => post(request, '/v1/analyses', body, key) };
    }
    default: {
      const behaviour = kind === 'broken' ? 'not-audio' : kind;
      const url = kind === 'url' ? audioUrl() : `${audioUrl()}?as=${behaviour}`;
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

/** Three requests, each of which may be lost and repeated: creating a slot, uploading the bytes, and submitting the analysis. */
async function sendThroughObject(
  request: Send,
  name: string,
  op: number,
  tenant: Tenant,
  key: string | null,
): Promise<Answer> {
  // Keys are not scoped by route, so each of the two POST requests needs its own.
  const keyFor = (purpose: string) => key && `${key}-${purpose}`;
  const file = { content_type: 'audio/wav', file_name: `${name}-0.wav` };
  const slot = await post(request, '/v1/storage-objects', file, keyFor('slot'));
  if (slot.kind !== 'answer' || slot.status !== 201) return refusalOf(slot);
  const { id, signed_url } = slot.body as { id: string; signed_url: string };
  const put = await request(pathOrUrlOf(signed_url), {
    method: 'PUT',
    headers: { 'content-type': 'audio/wav' },
    body: new Uint8Array(makeTone({ toneHz: 250 + (op % 800) })),
  });
  // The outcome of the analysis decides even after a refused upload: an earlier try whose answer was lost may have stored the bytes.
  if (put.kind === 'unknown' || put.status >= 500 || put.status === 429) return put;
  const analysis = {
    storage_object_id: id,
    features: ['loudness'],
    metadata: { marker: tenant.marker },
    // Every third job keeps its audio, so that the checker can verify the stored bytes.
    retain_source: op % 3 === 0,
  };
  return post(request, '/v1/analyses', analysis, keyFor('analysis'));
}

/** Any process of the service accepts an upload to a slot, so only the path is kept; an object store has its own host. */
function pathOrUrlOf(signedUrl: string): string {
  const { pathname, search } = new URL(signedUrl);
  return pathname.startsWith('/v1/') ? `${pathname}${search}` : signedUrl;
}

/** No analysis was submitted yet and the next try may succeed, so the outcome is unknown. */
function refusalOf(answer: Answer): Answer {
  if (answer.kind === 'unknown' || answer.status >= 500) return answer;
  return { kind: 'unknown', reason: `no slot was created: ${answer.status} ${answer.code}` };
}
