import type { RequestOutput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { formatMoment } from '../format.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { useLoad } from '../use-load.ts';

type AuditEvent = RequestOutput<'listAuditEvents'>[number];

const COLUMNS: Column<AuditEvent>[] = [
  { title: 'When', cell: (event) => <time className="nowrap">{formatMoment(event.created_at)}</time> },
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
  const [events, reload] = useLoad(
    () => earshot.request('listAuditEvents', { query: { limit: 100 } }),
    'audit',
  );
  return (
    <>
      <h1 className="page-head">Audit log</h1>
      <LoadedView loaded={events} reload={reload}>
        {(list) => (
          <DataTable
            label="Audit log"
            columns={COLUMNS}
            rows={list}
            rowKey={(event) => event.id}
            empty="Nothing has been changed yet."
          />
        )}
      </LoadedView>
    </>
  );
}
