import { Link, useLocation } from 'wouter';
import { earshot } from '../api.ts';
import { formatClock, formatDay } from '../format.ts';
import { onFormSubmit } from '../on-form-submit.ts';
import { CRATE_NAME_CHARACTERS_MAX } from '../service-limits.ts';
import { RequireRole } from '../session.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import { useTitle } from '../use-title.ts';
import { type CrateSummary, notifyCratesChanged, useCrates } from './use-crates.ts';

const COLUMNS: Column<CrateSummary>[] = [
  { title: 'Crate', cell: ({ id, name }) => <Link href={`/crates/${id}`}>{name}</Link> },
  { title: 'Songs', cell: ({ item_count }) => item_count },
  { title: 'Length', cell: ({ duration_seconds }) => formatClock(duration_seconds) },
  { title: 'Changed', cell: ({ updated_at }) => formatDay(updated_at) },
];

export function CratesPage() {
  useTitle('Crates');
  const [crates, reload] = useCrates();
  const { busy, problem, run } = useAction();
  const [, go] = useLocation();
  const create = onFormSubmit(
    (values) =>
      void run(async () => {
        const body = { name: String(values.get('name')) };
        const { id } = await earshot.request('createCollection', { body });
        notifyCratesChanged();
        go(`/crates/${id}`);
      }),
  );
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
      <LoadedView loaded={crates} reload={reload}>
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
