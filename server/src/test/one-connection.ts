import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../platform/postgres.ts';

type Query = [sql: string, params?: readonly unknown[]];

/**
 * The same database, but it throws when code inside a transaction asks for a second connection: with ten connections, ten callers that do
 * so at once would wait for each other.
 */
export function refuseSecondConnection(db: Database): Database {
  const inTransaction = new AsyncLocalStorage<true>();
  const first = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (inTransaction.getStore()) throw new Error('A second connection was asked for inside a transaction');
    return ask();
  };
  const watch = (view: Database): Database => ({
    ...view,
    query: <R>(...query: Query) => first(() => view.query<R>(...query)),
    one: <R>(...query: Query) => first(() => view.one<R>(...query)),
    maybeOne: <R>(...query: Query) => first(() => view.maybeOne<R>(...query)),
    batch: (statements) => first(() => view.batch(statements)),
    transaction: (work) => first(() => view.transaction((tx) => inTransaction.run(true, () => work(tx)))),
    forTenant: (workspaceId) => watch(view.forTenant(workspaceId)),
    get acrossTenants() {
      return watch(db);
    },
  });
  return watch(db);
}
