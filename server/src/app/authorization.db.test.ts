import {
  allOperations,
  buildOpenApiDocument,
  type Operation,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
} from '@earshot/contract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newId } from '../platform/ids.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, freshEmail, type SignedIn, signIn, type TestAnswer } from '../test/test-app.ts';

/**
 * Every route with a workspace policy × every kind of caller × own, foreign and random ids. The routes come from the contract, so that
 * new ones are covered at once. The expected status is derived from the policy here (refusalOf), without code of the app.
 */

const { db } = await createTestDatabase();
const app = await buildTestApp(
  db,
  {},
  { REQUESTS_PER_MINUTE: '1000000', ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' },
);

type Guarded = Operation & { policy: Extract<Operation['policy'], { access: 'workspace' }> };
const guarded = allOperations.filter(
  (operation): operation is Guarded => operation.policy.access === 'workspace',
);

type Caller = {
  name: string;
  headers: Record<string, string>;
  /** Null for an unknown caller, who gets 401 everywhere. */
  identity: { role: Role; scopes: readonly Scope[] | null; isOurs: boolean } | null;
};

const as = (person: SignedIn, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) =>
  app.call(method, url, { headers: person.headers, body });

async function join(owner: SignedIn, role: string): Promise<SignedIn> {
  const email = freshEmail(role);
  await as(owner, 'POST', '/v1/account/team/invitations', { email, role });
  const member = await signIn(app, email);
  await as(member, 'POST', `/v1/account/workspaces/${owner.workspaceId}/session`);
  return member;
}

async function makeKey(
  person: SignedIn,
  scopes: readonly Scope[],
): Promise<{ id: string; headers: Record<string, string> }> {
  const { body } = await as(person, 'POST', '/v1/api-keys', { name: scopes.join(' '), scopes });
  return { id: body.id, headers: { 'x-api-key': body.plaintext_key } };
}

/** One of everything that has an id, in the owner's workspace. */
async function fill(owner: SignedIn): Promise<Record<string, string>> {
  const job = await as(owner, 'POST', '/v1/analyses', { source_url: 'http://127.0.0.1/song.mp3' });
  const invitation = await as(owner, 'POST', '/v1/account/team/invitations', { email: freshEmail() });
  const object = await as(owner, 'POST', '/v1/storage-objects', {
    content_type: 'audio/wav',
    purpose: 'upload',
  });
  const endpoint = await as(owner, 'POST', '/v1/webhook-endpoints', { url: 'http://127.0.0.1/hook' });
  const delivery = await as(owner, 'POST', `/v1/webhook-endpoints/${endpoint.body.id}/test`);
  const attempt = await db.one<{ id: string }>('select id from webhook_attempts where delivery_id = $1', [
    delivery.body.id,
  ]);
  const ids = {
    job_id: job.body.id,
    event_id: (await as(owner, 'GET', `/v1/analyses/${job.body.id}/events`)).body[0].id,
    audit_event_id: (await as(owner, 'GET', '/v1/audit-events')).body[0].id,
    delivery_id: delivery.body.id,
    attempt_id: attempt.id,
    invitation_id: invitation.body.id,
    storage_object_id: object.body.id,
    endpoint_id: endpoint.body.id,
    user_id: (await join(owner, 'viewer')).userId,
    api_key_id: (await makeKey(owner, ['usage:read'])).id,
    share_id: await addShare(owner, job.body.id),
    collection_id: (await as(owner, 'POST', '/v1/collections', { name: 'Ours' })).body.id,
    workspace_id: owner.workspaceId,
    format: 'csv',
    name: 'source',
  };
  for (const [name, id] of Object.entries(ids)) expect(id, name).toEqual(expect.any(String));
  return ids;
}

/** Inserts the row: the API shares only finished analyses, and the one here never finishes. */
async function addShare(owner: SignedIn, jobId: string): Promise<string> {
  const id = newId('shr');
  await db.query(
    `insert into analysis_shares (id, analysis_id, workspace_id, token_hash, created_by, created_at)
     values ($1, $2, $3, $1, $4, now())`,
    [id, jobId, owner.workspaceId, owner.userId],
  );
  return id;
}

const RANDOM: Record<string, string> = {
  job_id: 'job_00000000000000000000000000',
  invitation_id: 'inv_00000000000000000000000000',
  storage_object_id: 'obj_00000000000000000000000000',
  endpoint_id: 'whe_00000000000000000000000000',
  user_id: 'usr_00000000000000000000000000',
  api_key_id: 'key_00000000000000000000000000',
  workspace_id: 'ws_00000000000000000000000000',
  share_id: 'shr_00000000000000000000000000',
  collection_id: 'col_00000000000000000000000000',
  format: 'csv',
  name: 'source',
};

const owner = await signIn(app);
const otherOwner = await signIn(app);
const ours = await fill(owner);
const theirs = await fill(otherOwner);

async function assembleCallers(): Promise<Caller[]> {
  const callers: Caller[] = [{ name: 'anonymous', headers: {}, identity: null }];
  const add = (name: string, headers: Record<string, string>, identity: Caller['identity']) =>
    callers.push({ name, headers, identity });
  const session = (role: Role, isOurs = true) => ({ role, scopes: null, isOurs });

  for (const role of ['viewer', 'member', 'admin'] as const)
    add(role, (await join(owner, role)).headers, session(role));
  add('owner', owner.headers, session('owner'));
  add(
    'owner by cookie',
    { cookie: `earshot_session=${(await signIn(app, owner.email)).token}`, 'sec-fetch-site': 'same-origin' },
    session('owner'),
  );
  add('owner of another workspace', otherOwner.headers, session('owner', false));

  const removed = await join(owner, 'admin');
  const removedKey = await makeKey(removed, SCOPES);
  await as(owner, 'DELETE', `/v1/account/team/members/${removed.userId}`);
  // Their session stays valid, for their own workspace.
  add('removed member', removed.headers, session('owner', false));
  add('key of a removed member', removedKey.headers, null);

  const demoted = await join(owner, 'admin');
  const demotedKey = await makeKey(demoted, SCOPES);
  await as(owner, 'PATCH', `/v1/account/team/members/${demoted.userId}`, { role: 'viewer' });
  add('key of a demoted member', demotedKey.headers, { role: 'viewer', scopes: SCOPES, isOurs: true });

  const invited = await signIn(app);
  await as(owner, 'POST', '/v1/account/team/invitations', { email: invited.email, role: 'admin' });
  add('invited, but has not accepted', invited.headers, session('owner', false));
  const away = await join(owner, 'admin');
  await as(away, 'POST', `/v1/account/workspaces/${away.workspaceId}/session`);
  add('admin with a session in another workspace', away.headers, session('owner', false));

  const signedOut = await signIn(app, owner.email);
  await as(signedOut, 'POST', '/v1/auth/logout');
  add('signed out', signedOut.headers, null);
  const expired = await signIn(app, owner.email);
  await db.query(
    "update sessions set expires_at = now() - interval '1 second' where id = (select max(id) from sessions)",
  );
  add('expired session', expired.headers, null);
  add('made-up token', { authorization: `Bearer es_sess_${'x'.repeat(43)}` }, null);

  for (const scope of SCOPES) {
    add(`key with ${scope}`, (await makeKey(owner, [scope])).headers, {
      role: 'owner',
      scopes: [scope],
      isOurs: true,
    });
  }
  add('key with every scope', (await makeKey(owner, SCOPES)).headers, {
    role: 'owner',
    scopes: SCOPES,
    isOurs: true,
  });
  // The API no longer makes such keys, but earlier versions did.
  const bare = await makeKey(owner, ['usage:read']);
  await db.query(`update api_keys set scopes = '{}' where id = $1`, [bare.id]);
  add('key without scopes', bare.headers, { role: 'owner', scopes: [], isOurs: true });
  const revoked = await makeKey(owner, SCOPES);
  await as(owner, 'DELETE', `/v1/api-keys/${revoked.id}`);
  add('revoked key', revoked.headers, null);
  return callers;
}

const callers = await assembleCallers();
const away = callers.find(({ name }) => name === 'admin with a session in another workspace');

function refusalOf({ id, policy }: Guarded, { identity }: Caller): 401 | 403 | null {
  if (!identity) return 401;
  if (identity.scopes && (policy.scope === null || !identity.scopes.includes(policy.scope))) return 403;
  // Anyone may leave; removing someone else takes an admin, and no id in this matrix is the caller's own.
  const role = id === 'removeMember' ? 'admin' : policy.role;
  return ROLES.indexOf(identity.role) < ROLES.indexOf(role) ? 403 : null;
}

const document = buildOpenApiDocument(allOperations, '0') as {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: unknown }> } }>>;
};

function ask(
  operation: Operation,
  caller: Caller,
  ids: Record<string, string>,
  body?: unknown,
): Promise<TestAnswer> {
  const headers = { ...caller.headers, ...NEEDED[operation.id]?.headers };
  const url = `${addressOf(operation, ids)}${NEEDED[operation.id]?.query ?? ''}`;
  return app.call(operation.method, url, { headers, body });
}

function addressOf({ path }: Operation, ids: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'x');
}

/** Parameters that these operations require. */
const NEEDED: Record<string, { query?: string; headers?: Record<string, string> }> = {
  replaceCollectionItems: { headers: { 'if-match': '*' } },
  proposeCollectionOrder: { query: '?by=energy' },
  exportCollection: { query: '?format=csv' },
  // This file makes more of them than the default page holds.
  listAuditEvents: { query: '?limit=100' },
};

/** Which of our ids an answer must contain. Every paged list has an entry. */
const SHOWN: Record<string, readonly string[]> = {
  getAnalysis: ['job_id'],
  getAccountAnalysis: ['job_id'],
  getKeyAnalysis: ['job_id'],
  getCollection: ['collection_id'],
  getWebhookEndpoint: ['endpoint_id'],
  getSession: ['workspace_id'],
  exportWorkspace: ['workspace_id', 'job_id', 'collection_id'],
  listAnalyses: ['job_id'],
  listAnalysisEvents: ['event_id'],
  listAccountAnalysisEvents: ['event_id'],
  listShares: ['share_id'],
  listCollections: ['collection_id'],
  getTeam: ['user_id', 'invitation_id'],
  listWorkspaces: ['workspace_id'],
  listApiKeys: ['api_key_id'],
  listAuditEvents: ['audit_event_id'],
  listWebhookEndpoints: ['endpoint_id'],
  listWebhookDeliveries: ['delivery_id'],
  // The callers have accepted their invitations, and an analysis that never ends has no webhook calls.
  listReceivedInvitations: [],
  listKeyAnalysisWebhooks: [],
};

/** The query parameters that are cursors of pages. */
function cursorsOf({ query }: Operation): [name: string, schema: z.core.$ZodType][] {
  return Object.entries(query?.shape ?? {}).filter(
    ([name]) => name === 'after' || name === 'invitations_after',
  );
}

function exampleBody(operation: Operation): unknown {
  const documented = document.paths[operation.path]?.[operation.method.toLowerCase()];
  return documented?.requestBody?.content['application/json']?.example;
}

/** An answer without the parts that differ between two equal requests. */
function comparable({ status, body, headers }: TestAnswer): unknown {
  // The `ratelimit` header counts down with every request.
  const { 'x-request-id': _id, date: _date, ratelimit: _left, ...rest } = headers;
  return { status, body: { ...body, request_id: '' }, headers: rest };
}

describe.each(guarded.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s',
  (_, operation) => {
    const hasId = operation.params !== undefined;

    test('401 without identity, 403 without role or scope, and neither for permitted callers', async () => {
      for (const caller of callers) {
        const refusal = refusalOf(operation, caller);
        if (refusal === null && !hasId && changesWithoutBody(operation)) continue;
        // An invalid body changes nothing, and is refused only after authorization.
        const body = hasId ? exampleBody(operation) : operation.body ? { unusable: true } : undefined;
        const { status, body: answered } = await ask(operation, caller, RANDOM, body);
        const seen = [caller.name, status === 401 || status === 403 ? status : null];
        expect(seen).toEqual([caller.name, refusal]);
        if (refusal === 401) expect(answered.code).toBe('unauthorized');
        if (refusal === 403) expect(['insufficient_role', 'insufficient_scope']).toContain(answered.code);
        expect(status, caller.name).toBeLessThan(500);
      }
    });

    if (hasId)
      test('an id of another workspace is answered exactly like an unknown id', async () => {
        for (const caller of callers) {
          if (refusalOf(operation, caller) !== null) continue;
          // This caller is a member of our workspace and may switch back to it.
          if (operation.id === 'switchWorkspace' && caller === away) continue;
          const foreignIds = caller.identity?.isOurs ? theirs : ours;
          const foreign = await ask(operation, caller, foreignIds, exampleBody(operation));
          const random = await ask(operation, caller, RANDOM, exampleBody(operation));
          expect([caller.name, foreign.status]).toEqual([caller.name, 404]);
          expect(comparable(foreign)).toEqual(comparable(random));
        }
      });

    if (operation.method === 'GET')
      test('contains our data, and none of the other workspace', async () => {
        const shown = SHOWN[operation.id] ?? [];
        if (cursorsOf(operation).length > 0) expect(Object.keys(SHOWN)).toContain(operation.id);
        const foreignIds = Object.entries(theirs)
          .filter(([name]) => name.endsWith('_id'))
          .map(([, id]) => id);
        for (const caller of callers.filter(({ identity }) => identity?.isOurs)) {
          if (refusalOf(operation, caller) !== null) continue;
          const { status, text } = await ask(operation, caller, ours);
          expect(status, caller.name).toBeLessThan(500);
          if (operation.id !== 'getArtifact') expect(status, caller.name).not.toBe(404);
          for (const name of shown) expect(text, `${name} for ${caller.name}`).toContain(ours[name]);
          for (const id of foreignIds) expect(text, caller.name).not.toContain(id);
        }
      });
  },
);

/** These would take effect for every permitted caller of the matrix; they have their own tests. */
function changesWithoutBody(operation: Operation): boolean {
  return operation.method !== 'GET' && !operation.body;
}

describe('ids in bodies', () => {
  test("another workspace's storage object cannot be analysed, and is answered like an unknown one", async () => {
    for (const url of ['/v1/analyses', '/v1/account/analyses']) {
      const foreign = await as(owner, 'POST', url, { storage_object_id: theirs.storage_object_id });
      const random = await as(owner, 'POST', url, { storage_object_id: RANDOM.storage_object_id });
      expect(foreign.status).toBe(404);
      expect(comparable(foreign)).toEqual(comparable(random));
    }
  });
});

describe('a foreign cursor', () => {
  const foreignIds = Object.values(theirs).filter((value) => value.includes('_'));
  const cursors = guarded.flatMap((list) =>
    cursorsOf(list).map(([name, schema]) => [`${list.path}?${name}=`, list, name, schema] as const),
  );

  test.each(cursors)('reveals nothing foreign at %s', async (_, list, name, schema) => {
    const cursor = foreignIds.find((id) => z.safeParse(schema, id).success);
    expect(cursor, 'a foreign id that this cursor takes').toBeTypeOf('string');
    const { status, text } = await as(owner, 'GET', `${addressOf(list, ours)}?${name}=${cursor}`);
    // The cursor of songs is signed for its workspace.
    expect(status).toBe(list.id === 'listAnalyses' ? 422 : 200);
    for (const id of foreignIds.filter((other) => other !== cursor)) expect(text).not.toContain(id);
  });
});
