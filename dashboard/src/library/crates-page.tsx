import type { FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { earshot } from '../api.ts';
import { formatClock, formatDay } from '../format.ts';
import { CRATE_NAME_CHARACTERS_MAX } from '../service-limits.ts';
import { RequireRole } from '../session.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { useTitle } from '../use-title.ts';
import { type CollectionSummary, notifyCollectionsChanged, useCollections } from './use-collections.ts';

const COLUMNS: Column<CollectionSummary>[] = [
  { title: 'Crate', cell: ({ id, name }) => <Link href={`/crates/${id}`}>{name}</Link> },
  { title: 'Songs', cell: ({ item_count }) => item_count },
  { title: 'Length', cell: ({ duration_seconds }) => formatClock(duration_seconds) },
  { title: 'Changed', cell: ({ updated_at }) => formatDay(updated_at) },
];

export function CratesPage() {
  useTitle('Crates');
  const [collections, reload] = useCollections();
  const { busy, problem, run } = useAction();
  const [, go] = useLocation();
  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name'));
    void run(async () => {
      const made = await earshot.request('createCollection', { body: { name } });
      notifyCollectionsChanged();
      go(`/crates/${made.id}`);
    });
  };
  return (
    <div className="stack">
      <h1>Crates</h1>
      <RequireRole atLeast="member">
        <form className="card row end" onSubmit={create}>
          <label className="grow">
            Name of a new crate
            <input name="name" required maxLength={CRATE_NAME_CHARACTERS_MAX} />
          </label>
          <button type="submit" className="main" disabled={busy}>
            Make a crate
          </button>
        </form>
      </RequireRole>
      <Problem text={problem} />
      <LoadedView loaded={collections} reload={reload}>
        {(list) => (
          <DataTable
            label="Crates"
            columns={COLUMNS}
            rows={list}
            rowKey={({ id }) => id}
            empty="No crates yet. Select songs in the library and put them into one."
          />
        )}
      </LoadedView>
    </div>
  );
}
