import pg from 'pg';
import type { Database, Queryable, Transaction } from './postgres.ts';

/**
 * The second wall between workspaces (migration 0006): every transaction of a request says whose it is, and row security
 * hides the rest. A connection of the service itself says that it is nobody's.
 */
export const ACROSS_TENANTS = `set earshot.tenant = '*'`;

/** The role without privileges of its own that requests take on where our own would pass through every wall. */
const STEP_DOWN = 'set local role earshot_tenant';

const WORKSPACE_ID = /^\w+$/;

type RunTransaction = <T>(opening: string, work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** What is sent with its beginning and its end: a statement, or several together. */
type AtOnce = (opening: () => Promise<string>) => Queryable & Pick<Database, 'together'>;

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
    // A statement may be sent together with what begins its transaction. That must not be able to fail before it has begun.
    if (!WORKSPACE_ID.test(workspaceId)) throw new Error(`Not the id of a workspace: ${workspaceId}`);
    // One message to the server, so that naming the workspace costs no round trip.
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

/** A view knows nothing but whose it is, so the requests and open streams of a workspace share one. */
const VIEWS_MAX = 1_000;

/** Superusers, and roles that may bypass row security, are not held to it. */
async function asksToStepDown(db: Database): Promise<boolean> {
  const { bypasses, role_exists } = await db.one<{ bypasses: boolean; role_exists: boolean }>(
    `select (rolsuper or rolbypassrls) as bypasses,
       exists (select 1 from pg_roles where rolname = 'earshot_tenant') as role_exists
     from pg_roles where rolname = current_user`,
  );
  return bypasses && role_exists;
}
