import pg from 'pg';
import type { Database, Queryable, Transaction } from './postgres.ts';

/**
 * Row security as a second wall between workspaces, besides the conditions of the queries (migration 0006): every transaction of a
 * request sets its workspace and sees only that workspace's rows. A connection of the service itself sets `*` and sees all.
 */
export const ACROSS_TENANTS = `set earshot.tenant = '*'`;

/** Assumes a role that is subject to row security, on connections whose own role is exempt from it. */
const ASSUME_TENANT_ROLE = 'set local role earshot_tenant';

const WORKSPACE_ID = /^\w+$/;

type RunTransaction = <T>(opening: string, work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** Sends one statement or a batch in one round trip with the opening and the commit of the transaction. */
type CreatePipelined = (opening: () => Promise<string>) => Queryable & Pick<Database, 'batch'>;

export function createTenantViews(
  whole: () => Database,
  run: RunTransaction,
  createPipelined: CreatePipelined,
): Database['forTenant'] {
  let assumesRole: Promise<boolean> | null = null;
  const mustAssumeRole = () => {
    assumesRole ??= readMustAssumeRole(whole()).catch((error: unknown) => {
      assumesRole = null;
      throw error;
    });
    return assumesRole;
  };

  const createView = (workspaceId: string): Database => {
    // The opening must not fail before its `begin`, or the statements sent with it would run outside a transaction.
    if (!WORKSPACE_ID.test(workspaceId)) throw new Error(`Not the id of a workspace: ${workspaceId}`);
    // One message, so that setting the workspace costs no extra round trip.
    const opening = async () => {
      const role = (await mustAssumeRole()) ? `; ${ASSUME_TENANT_ROLE}` : '';
      return `begin; set local earshot.tenant = ${pg.escapeLiteral(workspaceId)}${role}`;
    };
    return {
      ...whole(),
      ...createPipelined(opening),
      transaction: async (work) => run(await opening(), work),
    };
  };

  const views = new Map<string, Database>();
  return (workspaceId) => {
    const view = views.get(workspaceId) ?? createView(workspaceId);
    if (views.size >= VIEWS_MAX) views.clear();
    views.set(workspaceId, view);
    return view;
  };
}

/** Bounds the memory; a view has no state but its workspace, so dropping it costs nothing. */
const VIEWS_MAX = 1_000;

/** Superusers and roles with BYPASSRLS are exempt from row security. */
async function readMustAssumeRole(db: Database): Promise<boolean> {
  const { bypasses, role_exists } = await db.one<{ bypasses: boolean; role_exists: boolean }>(
    `select (rolsuper or rolbypassrls) as bypasses,
       exists (select 1 from pg_roles where rolname = 'earshot_tenant') as role_exists
     from pg_roles where rolname = current_user`,
  );
  return bypasses && role_exists;
}
