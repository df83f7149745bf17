import type { RequestOutput } from '@earshot/sdk';
import { formatMoment } from '../format.ts';
import { listAll } from '../list-all.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { OlderButton } from '../ui/older-button.tsx';
import { useLoad } from '../use-load.ts';
import { useLog } from '../use-log.ts';
import { type ActorNames, actorLabel, metadataText } from './audit-text.ts';
import { loadTeam } from './team.ts';

type AuditEvent = RequestOutput<'listAuditEvents'>[number];

const columnsFor = (names: ActorNames): Column<AuditEvent>[] => [
  { title: 'When', cell: (event) => <time className="nowrap">{formatMoment(event.created_at)}</time> },
  { title: 'Who', cell: (event) => actorLabel(event, names) },
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

async function loadActorNames(): Promise<ActorNames> {
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
          <span className="soft">{name}</span> {metadataText(value)}
        </span>
      ))}
    </>
  );
}

export function AuditPage() {
  const [log, reload] = useLog('listAuditEvents');
  const [names, reloadNames] = useLoad(loadActorNames, 'names');
  return (
    <>
      <h1 className="page-head">Audit log</h1>
      <LoadedView loaded={names} reload={reloadNames}>
        {(actorNames) => (
          <LoadedView loaded={log} reload={reload}>
            {({ items, showOlder }) => (
              <>
                <DataTable
                  label="Audit log"
                  columns={columnsFor(actorNames)}
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
