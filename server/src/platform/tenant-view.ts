import pg from 'pg';
import type { Database, Queryable, Transaction } from './postgres.ts';

/**
 * Row security as a second wall between workspaces (migration 0006): every transaction of a request sets its workspace, and sees only
 * the rows of that. A connection of the service itself sets `*` and sees all.
 */
export const ACROSS_TENANTS = `set earshot.tenant = '*'`;

/** Takes on a role that row security applies to, for connections whose own role is exempt from it. */
const STEP_DOWN = 'set local role earshot_tenant';

const WORKSPACE_ID = /^\w+$/;

type RunTransaction = <T>(opening: string, work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** Runs one statement, or several together, sent with the opening and the commit of their transaction. */
type AtOnce = (opening: () => Promise<string>) => Queryable & Pick<Database, 'batch'>;

export function createTenantViews(
  whole: () => Database,
  run: RunTransaction,
  atOnce: AtOnce,
): Database['forTenant'] {
  let stepsDown: Promise<boolean> | null = null;
  const mustStepDown = () => {
    stepsDown ??= asksToStepDown(whole()).catch((error: unknown) => {
      stepsDown = null;
      throw error;
    });
    return stepsDown;
  };

  const createView = (workspaceId: string): Database => {
    // The opening must not fail before its `begin`: statements that are sent along would then run outside a transaction.
    if (!WORKSPACE_ID.test(workspaceId)) throw new Error(`Not the id of a workspace: ${workspaceId}`);
    // One message, so that setting the workspace costs no extra round trip.
    const opening = async () => {
      const steps = (await mustStepDown()) ? `; ${STEP_DOWN}` : '';
      return `begin; set local earshot.tenant = ${pg.escapeLiteral(workspaceId)}${steps}`;
    };
    return {
      ...atOnce(opening),
      transaction: async (work) => run(await opening(), work),
      listen: (channel, handler) => whole().listen(channel, handler),
      poolUse: () => whole().poolUse(),
      probe: (sql) => whole().probe(sql),
      forTenant: (other) => whole().forTenant(other),
      get acrossTenants() {
        return whole();
      },
      close: () => whole().close(),
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

/** Chosen. A view has no state but its workspace, so that all requests and open streams of a workspace share one. */
const VIEWS_MAX = 1_000;

/** Row security does not apply to superusers and to roles that may bypass it. */
async function asksToStepDown(db: Database): Promise<boolean> {
  const { bypasses, role_exists } = await db.one<{ bypasses: boolean; role_exists: boolean }>(
    `select (rolsuper or rolbypassrls) as bypasses,
       exists (select 1 from pg_roles where rolname = 'earshot_tenant') as role_exists
     from pg_roles where rolname = current_user`,
  );
  return bypasses && role_exists;
}
