import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../platform/postgres.ts';

type Asked = [sql: string, params?: readonly unknown[]];

/**
 * The same database, but whoever asks it for a second connection while in a transaction is refused: where there are ten
 * connections, ten who do so at once wait for each other.
 */
export function refuseSecondConnection(db: Database): Database {
  const inTransaction = new AsyncLocalStorage<true>();
  const first = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (inTransaction.getStore()) throw new Error('A second connection was asked for inside a transaction');
    return ask();
  };
  const watch = (view: Database): Database => ({
    ...view,
    query: <R>(...asked: Asked) => first(() => view.query<R>(...asked)),
    one: <R>(...asked: Asked) => first(() => view.one<R>(...asked)),
    maybeOne: <R>(...asked: Asked) => first(() => view.maybeOne<R>(...asked)),
    together: (statements) => first(() => view.together(statements)),
    transaction: (work) => first(() => view.transaction((tx) => inTransaction.run(true, () => work(tx)))),
    forTenant: (workspaceId) => watch(view.forTenant(workspaceId)),
    get acrossTenants() {
      return watch(db);
    },
  });
  return watch(db);
}
