import type { Queryable, Transaction } from '../platform/postgres.ts';

export type SandboxSession = {
  id: string;
  workspaceId: string;
  kind: 'checkout' | 'portal';
  plan: string | null;
  successUrl: string;
  cancelUrl: string;
  completedAt: Date | null;
};

export async function insertSandboxSession(
  tx: Transaction,
  session: Omit<SandboxSession, 'completedAt'> & { expiresAt: Date },
): Promise<void> {
  await tx.query(
    `insert into sandbox_sessions (id, workspace_id, kind, plan, success_url, cancel_url, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      session.id,
      session.workspaceId,
      session.kind,
      session.plan,
      session.successUrl,
      session.cancelUrl,
      session.expiresAt,
    ],
  );
}

/** Not scoped by workspace: the unguessable id is the credential for the page, as on Stripe's own pages. */
export function findSandboxSession(
  db: Queryable,
  input: { id: string; kind: SandboxSession['kind']; now: Date },
): Promise<SandboxSession | null> {
  return db.maybeOne<SandboxSession>(
    `select id, workspace_id as "workspaceId", kind, plan, success_url as "successUrl", cancel_url as "cancelUrl",
       completed_at as "completedAt"
     from sandbox_sessions where id = $1 and kind = $2 and expires_at > $3`,
    [input.id, input.kind, input.now],
  );
}

/** Completes and returns all open checkouts of a workspace: of several paid at once, only the first caller gets its own back. */
export function completeCheckouts(
  db: Queryable,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<{ id: string }[]> {
  return db.query<{ id: string }>(
    `update sandbox_sessions set completed_at = $2
     where workspace_id = $1 and kind = 'checkout' and completed_at is null returning id`,
    [workspaceId, now],
  );
}
