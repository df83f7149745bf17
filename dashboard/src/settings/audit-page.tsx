import type { RequestOutput } from '@earshot/sdk';
import { formatMoment } from '../format.ts';
import { listAll } from '../list-all.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { OlderButton } from '../ui/older-button.tsx';
import { useLoad } from '../use-load.ts';
import { useLog } from '../use-log.ts';
import { loadTeam } from './team.ts';

type AuditEvent = RequestOutput<'listAuditEvents'>[number];

const columnsFor = (names: Names): Column<AuditEvent>[] => [
  { title: 'When', cell: (event) => <time className="nowrap">{formatMoment(event.created_at)}</time> },
  { title: 'Who', cell: (event) => sayActor(event, names) },
  { title: 'What', cell: (event) => <span className="nowrap">{event.action}</span> },
  {
    title: 'On',
    cell: (event) => (
      <>
        {event.target_type.replaceAll('_', ' ')} <code>{event.target_id}</code>
      </>
    ),
  },
  { title: 'Details', cell: (event) => <Details metadata={event.metadata} /> },
];

/** People by their addresses, keys by their names; whoever is gone by the id. */
type Names = ReadonlyMap<string, string>;

function sayActor({ actor_kind, actor_id }: AuditEvent, names: Names): string {
  const name = actor_id === null ? null : (names.get(actor_id) ?? actor_id);
  if (actor_kind === 'api_key') return name === null ? 'a key' : `key ${name}`;
  return name ?? actor_kind.replaceAll('_', ' ');
}

async function loadNames(): Promise<Names> {
  const [team, keys] = await Promise.all([loadTeam(), listAll('listApiKeys')]);
  return new Map([
    ...team.members.map(({ user_id, email }) => [user_id, email] as const),
    ...keys.map(({ id, name }) => [id, name] as const),
  ]);
}

function Details({ metadata }: { metadata: Record<string, unknown> }) {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return <span className="soft">–</span>;
  return (
    <>
      {entries.map(([name, value]) => (
        <span key={name} className="detail">
          <span className="soft">{name}</span> {sayValue(value)}
        </span>
      ))}
    </>
  );
}

function sayValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(sayValue).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function AuditPage() {
  const [log, reload] = useLog('listAuditEvents');
  const [names, reloadNames] = useLoad(loadNames, 'names');
  return (
    <>
      <h1 className="page-head">Audit log</h1>
      <LoadedView loaded={names} reload={reloadNames}>
        {(known) => (
          <LoadedView loaded={log} reload={reload}>
            {({ items, showOlder }) => (
              <>
                <DataTable
                  label="Audit log"
                  columns={columnsFor(known)}
                  rows={items}
                  rowKey={(event) => event.id}
                  empty="Nothing has been changed yet."
                />
                <OlderButton showOlder={showOlder} />
              </>
            )}
          </LoadedView>
        )}
      </LoadedView>
    </>
  );
}
