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
import { newId } from '../platform/ids.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestApp, freshEmail, type SignedIn, signIn, type TestAnswer } from '../test/test-app.ts';

/**
 * Every route with a workspace policy × every kind of caller × own, foreign and random ids, from the list of operations
 * itself: a new route is in the matrix the moment it exists. What is expected is computed from the policy here, in ten
 * lines that know nothing of how the app decides.
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
  /** Null: nobody, 401 everywhere. */
  identity: { role: Role; scopes: readonly Scope[] | null; home: 'ours' | 'theirs' | 'elsewhere' } | null;
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
  const ids = {
    job_id: job.body.id,
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

/** The job of the matrix never ends, and only a finished one can be shared through the door. */
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
  const callers: Caller[] = [{ name: 'nobody', headers: {}, identity: null }];
  const add = (name: string, headers: Record<string, string>, identity: Caller['identity']) =>
    callers.push({ name, headers, identity });
  const session = (role: Role, home: 'ours' | 'theirs' | 'elsewhere' = 'ours') => ({
    role,
    scopes: null,
    home,
  });

  for (const role of ['viewer', 'member', 'admin'] as const)
    add(role, (await join(owner, role)).headers, session(role));
  add('owner', owner.headers, session('owner'));
  add(
    'owner by cookie',
    { cookie: `earshot_session=${(await signIn(app, owner.email)).token}`, 'sec-fetch-site': 'same-origin' },
    session('owner'),
  );
  add('owner of another workspace', otherOwner.headers, session('owner', 'theirs'));

  const removed = await join(owner, 'admin');
  const removedKey = await makeKey(removed, SCOPES);
  await as(owner, 'DELETE', `/v1/account/team/members/${removed.userId}`);
  // Their session goes on, in a workspace of their own.
  add('removed member', removed.headers, session('owner', 'theirs'));
  add('key of a removed member', removedKey.headers, null);

  const demoted = await join(owner, 'admin');
  const demotedKey = await makeKey(demoted, SCOPES);
  await as(owner, 'PATCH', `/v1/account/team/members/${demoted.userId}`, { role: 'viewer' });
  add('key of a demoted member', demotedKey.headers, { role: 'viewer', scopes: SCOPES, home: 'ours' });

  const invited = await signIn(app);
  await as(owner, 'POST', '/v1/account/team/invitations', { email: invited.email, role: 'admin' });
  add('invited, not accepted', invited.headers, session('owner', 'elsewhere'));
  const away = await join(owner, 'admin');
  await as(away, 'POST', `/v1/account/workspaces/${away.workspaceId}/session`);
  add('admin, looking at another workspace', away.headers, session('owner', 'elsewhere'));

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
      home: 'ours',
    });
  }
  add('key with every scope', (await makeKey(owner, SCOPES)).headers, {
    role: 'owner',
    scopes: SCOPES,
    home: 'ours',
  });
  // None can be made any more, but some were.
  const bare = await makeKey(owner, ['usage:read']);
  await db.query(`update api_keys set scopes = '{}' where id = $1`, [bare.id]);
  add('key without scopes', bare.headers, { role: 'owner', scopes: [], home: 'ours' });
  const revoked = await makeKey(owner, SCOPES);
  await as(owner, 'DELETE', `/v1/api-keys/${revoked.id}`);
  add('revoked key', revoked.headers, null);
  return callers;
}

const callers = await assembleCallers();
const away = callers.find(({ name }) => name === 'admin, looking at another workspace');

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
  const url = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'x');
  const headers = { ...caller.headers, ...NEEDED[operation.id]?.headers };
  return app.call(operation.method, `${url}${NEEDED[operation.id]?.query ?? ''}`, { headers, body });
}

/** What these operations do not answer without. */
const NEEDED: Record<string, { query?: string; headers?: Record<string, string> }> = {
  replaceCollectionItems: { headers: { 'if-match': '*' } },
  proposeCollectionOrder: { query: '?by=energy' },
  exportCollection: { query: '?format=csv' },
};

function exampleBody(operation: Operation): unknown {
  const documented = document.paths[operation.path]?.[operation.method.toLowerCase()];
  return documented?.requestBody?.content['application/json']?.example;
}

/** An answer without what differs from one request to the next. */
function essence({ status, body, headers }: TestAnswer): unknown {
  // What is left of the limit falls with every request.
  const { 'x-request-id': _id, date: _date, ratelimit: _left, ...rest } = headers;
  return { status, body: { ...body, request_id: '' }, headers: rest };
}

describe.each(guarded.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s',
  (_, operation) => {
    const hasId = operation.params !== undefined;

    test('401 without identity, 403 without role or scope, and neither for those who may', async () => {
      for (const caller of callers) {
        const refusal = refusalOf(operation, caller);
        if (refusal === null && !hasId && changesWithoutBody(operation)) continue;
        // Where it is allowed, an unusable body shows that authorization was passed, and changes nothing.
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
      test("another workspace's thing is answered exactly like nothing", async () => {
        for (const caller of callers) {
          if (refusalOf(operation, caller) !== null) continue;
          // Whoever is away from a workspace may still go there.
          if (operation.id === 'switchWorkspace' && caller === away) continue;
          const foreignIds = caller.identity?.home === 'ours' ? theirs : ours;
          const foreign = await ask(operation, caller, foreignIds, exampleBody(operation));
          const random = await ask(operation, caller, RANDOM, exampleBody(operation));
          expect([caller.name, foreign.status]).toEqual([caller.name, 404]);
          expect(essence(foreign)).toEqual(essence(random));
        }
      });

    if (operation.method === 'GET')
      test('shows what is ours, and nothing of theirs', async () => {
        const foreignIds = Object.entries(theirs)
          .filter(([name]) => name.endsWith('_id'))
          .map(([, id]) => id);
        for (const caller of callers.filter(({ identity }) => identity?.home === 'ours')) {
          if (refusalOf(operation, caller) !== null) continue;
          const { status, text } = await ask(operation, caller, ours);
          if (operation.id !== 'getArtifact') expect([caller.name, status]).not.toEqual([caller.name, 404]);
          for (const id of foreignIds) expect(text).not.toContain(id);
        }
      });
  },
);

/** These would do their work for every caller of the matrix; their own tests call them. */
function changesWithoutBody(operation: Operation): boolean {
  return operation.method !== 'GET' && !operation.body;
}

describe('ids in bodies', () => {
  test("another workspace's storage object cannot be analysed, and looks like none", async () => {
    for (const url of ['/v1/analyses', '/v1/account/analyses']) {
      const foreign = await as(owner, 'POST', url, { storage_object_id: theirs.storage_object_id });
      const random = await as(owner, 'POST', url, { storage_object_id: RANDOM.storage_object_id });
      expect(foreign.status).toBe(404);
      expect(essence(foreign)).toEqual(essence(random));
    }
  });

  test('a foreign cursor shows nothing foreign', async () => {
    // The cursor of songs is signed for its workspace.
    expect((await as(owner, 'GET', `/v1/analyses?after=${theirs.job_id}`)).status).toBe(422);
    for (const [list, after] of [
      ['/v1/collections', theirs.collection_id],
      ['/v1/api-keys', theirs.api_key_id],
      ['/v1/audit-events', newId('aud')],
      ['/v1/webhook-endpoints', theirs.endpoint_id],
      ['/v1/webhook-deliveries', newId('whd')],
    ]) {
      const { status, text } = await as(owner, 'GET', `${list}?after=${after}`);
      expect([list, status]).toEqual([list, 200]);
      for (const id of Object.values(theirs).filter((value) => value.includes('_')))
        expect(text).not.toContain(id);
    }
  });
});
