import type { SubscribableEventType } from '@earshot/contract';
import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { assertUrlsAllowed } from '../platform/allowed-urls.ts';
import { newId } from '../platform/ids.ts';
import type { Page, Transaction } from '../platform/postgres.ts';
import { holdRole } from '../workspaces/held-role.ts';
import { failWaitingDeliveries } from './delivery-store.ts';
import * as store from './endpoint-store.ts';
import * as secretStore from './secret-store.ts';
import { getDefaultSecrets, openSecret, rotateSecret, sealSecret } from './secrets.ts';
import { newSigningSecret } from './sign.ts';

/** Every analysis costs one delivery per endpoint. */
const ENDPOINTS_MAX = 20;

export type NewEndpoint = { url: string; description: string | null; eventTypes: SubscribableEventType[] };
export type EndpointChanges = Partial<NewEndpoint> & { status?: 'active' | 'disabled' };
export type RevealedSecret = { secret: string; previousSecretExpiresAt: Date | null };

/** `url` was checked by assertUrlsAllowed before the transaction. */
export async function createEndpoint(
  ctx: MemberContext,
  tx: Transaction,
  input: NewEndpoint,
): Promise<{ endpoint: store.WebhookEndpoint; secret: string }> {
  const { workspaceId, userId } = ctx.actor;
  await holdRole(ctx, tx, 'admin');
  if ((await store.countEndpoints(tx, workspaceId)) >= ENDPOINTS_MAX) {
    throw new AppError(
      'conflict',
      `A workspace has at most ${ENDPOINTS_MAX} webhook endpoints. Delete one first.`,
    );
  }
  await assertAddressFree(tx, workspaceId, input.url, null);
  const id = newId('whe');
  const secret = newSigningSecret();
  const signingSecret = sealSecret(ctx, id, secret);
  await store.insertEndpoint(tx, { ...input, id, workspaceId, signingSecret, createdBy: userId });
  await audit(ctx, tx, 'webhook_endpoint.create', id, { url: input.url });
  return { endpoint: await getLocked(ctx, tx, id), secret };
}

export async function getEndpoint(ctx: MemberContext, id: string): Promise<store.WebhookEndpoint> {
  const endpoint = await store.findEndpointOfWorkspace(ctx.db, ctx.actor.workspaceId, id);
  if (!endpoint) throw notFound();
  return endpoint;
}

export function listEndpoints(ctx: MemberContext, page: Page): Promise<store.WebhookEndpoint[]> {
  return store.listEndpointsOfWorkspace(ctx.db, ctx.actor.workspaceId, page);
}

/** Enabling clears the record of failures. Disabling fails waiting deliveries, so no call starts after the response. */
export async function updateEndpoint(
  ctx: MemberContext,
  id: string,
  changes: EndpointChanges,
): Promise<store.WebhookEndpoint> {
  await getEndpoint(ctx, id);
  if (changes.url !== undefined) await assertUrlsAllowed(ctx, [{ url: changes.url, loc: ['body', 'url'] }]);
  return ctx.db.transaction(async (tx) => {
    await holdRole(ctx, tx, 'admin');
    const endpoint = await getLocked(ctx, tx, id);
    if (changes.url !== undefined) await assertAddressFree(tx, ctx.actor.workspaceId, changes.url, id);
    const changed = { ...endpoint, ...changes };
    if (changes.status === 'active') Object.assign(changed, { firstFailureAt: null, disabledReason: null });
    if (changes.status === 'disabled' && endpoint.status === 'active') {
      changed.disabledReason = 'Disabled on request.';
      await failWaitingDeliveries(tx, id, 'The endpoint was disabled');
    }
    await store.saveEndpoint(tx, changed);
    await audit(ctx, tx, 'webhook_endpoint.update', id, { changed: Object.keys(changes) });
    return getLocked(ctx, tx, id);
  });
}

export async function deleteEndpoint(ctx: MemberContext, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await holdRole(ctx, tx, 'admin');
    const endpoint = await getLocked(ctx, tx, id);
    await store.saveEndpoint(tx, { ...endpoint, status: 'deleted' });
    await failWaitingDeliveries(tx, id, 'The endpoint was deleted');
    await audit(ctx, tx, 'webhook_endpoint.delete', id);
  });
}

export async function rotateEndpointSecret(
  ctx: MemberContext,
  tx: Transaction,
  id: string,
): Promise<RevealedSecret> {
  await holdRole(ctx, tx, 'admin');
  const endpoint = await getLocked(ctx, tx, id);
  const { secret, sealed } = rotateSecret(ctx, id, endpoint, ctx.clock());
  await store.saveEndpoint(tx, { ...endpoint, ...sealed });
  await audit(ctx, tx, 'webhook_endpoint.rotate_secret', id);
  return { secret, previousSecretExpiresAt: sealed.previousSecretExpiresAt };
}

/** The secret that signs calls to a job's own webhook_url. */
export async function getDefaultSecret(ctx: MemberContext): Promise<RevealedSecret> {
  const { workspaceId } = ctx.actor;
  const secrets = await ctx.db.transaction((tx) => getDefaultSecrets(ctx, tx, workspaceId));
  const { previousSecretExpiresAt: expires } = secrets;
  return {
    secret: openSecret(ctx, workspaceId, secrets.signingSecret),
    previousSecretExpiresAt: expires !== null && expires > ctx.clock() ? expires : null,
  };
}

export async function rotateDefaultSecret(ctx: MemberContext, tx: Transaction): Promise<RevealedSecret> {
  const { workspaceId } = ctx.actor;
  await holdRole(ctx, tx, 'admin');
  await getDefaultSecrets(ctx, tx, workspaceId);
  const secrets = await secretStore.lockDefaultSecrets(tx, workspaceId);
  const { secret, sealed } = rotateSecret(ctx, workspaceId, secrets, ctx.clock());
  await secretStore.saveDefaultSecrets(tx, workspaceId, sealed);
  await recordAudit(tx, ctx, {
    action: 'webhook_signing_secret.rotate',
    targetType: 'workspace',
    targetId: workspaceId,
  });
  return { secret, previousSecretExpiresAt: sealed.previousSecretExpiresAt };
}

/** Two endpoints with one address would receive every event twice. Call while holding the lock of `holdRole`. */
async function assertAddressFree(
  tx: Transaction,
  workspaceId: string,
  url: string,
  exceptId: string | null,
): Promise<void> {
  const other = await store.findEndpointByUrl(tx, workspaceId, url);
  if (other === null || other.id === exceptId) return;
  throw new AppError(
    'conflict',
    `The endpoint ${other.id} already has this address. Change that one, or delete it first.`,
  );
}

async function getLocked(ctx: MemberContext, tx: Transaction, id: string): Promise<store.WebhookEndpoint> {
  const endpoint = await store.lockEndpointOfWorkspace(tx, ctx.actor.workspaceId, id);
  if (!endpoint) throw notFound();
  return endpoint;
}

async function audit(
  ctx: MemberContext,
  tx: Transaction,
  action: `webhook_endpoint.${string}`,
  id: string,
  metadata: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(tx, ctx, { action, targetType: 'webhook_endpoint', targetId: id, metadata });
}
