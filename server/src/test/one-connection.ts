import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../platform/postgres.ts';

type Query = [sql: string, params?: readonly unknown[]];

/**
 * The same database, except that a query outside the transaction throws while one is open: it would take a second connection, and with a
 * pool of ten, ten callers that do so at once would deadlock.
 */
export function refuseSecondConnection(db: Database): Database {
  const inTransaction = new AsyncLocalStorage<true>();
  const connect = async <T>(send: () => Promise<T>): Promise<T> => {
    if (inTransaction.getStore()) throw new Error('A second connection was requested inside a transaction');
    return send();
  };
  const watch = (view: Database): Database => ({
    ...view,
    query: <R>(...query: Query) => connect(() => view.query<R>(...query)),
    one: <R>(...query: Query) => connect(() => view.one<R>(...query)),
    maybeOne: <R>(...query: Query) => connect(() => view.maybeOne<R>(...query)),
    batch: (statements) => connect(() => view.batch(statements)),
    transaction: (work) => connect(() => view.transaction((tx) => inTransaction.run(true, () => work(tx)))),
    forTenant: (workspaceId) => watch(view.forTenant(workspaceId)),
    get acrossTenants() {
      return watch(db);
    },
  });
  return watch(db);
}
