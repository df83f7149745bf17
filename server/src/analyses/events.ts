import type { JobEventType } from '@earshot/contract';
import { idAfter, newId } from '../platform/ids.ts';
import type { Page, Queryable, Transaction } from '../platform/postgres.ts';
import { prepared } from '../platform/prepared.ts';

export type AnalysisEvent = {
  id: string;
  eventType: JobEventType;
  message: string;
  metadata: Record<string, unknown>;
  createdAt: Date;
};

export const ANALYSIS_EVENTS_CHANNEL = 'analysis_events';

type EventFields = [eventType: JobEventType, message: string, metadata?: Record<string, unknown>];

/**
 * Appends to the log, and notifies listeners once the transaction commits. The analysis is locked first: its events then
 * commit in the order of their ids, and a reader that resumes after the last id it saw misses none.
 */
export async function recordEvent(tx: Transaction, analysisId: string, ...event: EventFields): Promise<void> {
  await tx.query('select 1 from analyses where id = $1 for no key update', [analysisId]);
  await appendEvent(tx, analysisId, ...event);
}

/** For callers that have created or locked the analysis in this transaction. */
export async function appendEvent(
  tx: Transaction,
  analysisId: string,
  ...[eventType, message, metadata = {}]: EventFields
): Promise<void> {
  const insert = (id: string) =>
    tx.query(INSERT_AS_LAST, [id, analysisId, eventType, message, JSON.stringify(metadata)]);
  const [inserted] = await Promise.all([insert(newId('evt')), notifyListeners(tx, analysisId)]);
  if (inserted.length > 0) return;
  // Ids begin with a time, and the process that wrote the last one has a clock ahead of ours. With a smaller id than that,
  // this event would be missed by readers that resume after it.
  const { last } = await tx.one<{ last: string }>(
    'select max(id) as last from analysis_events where analysis_id = $1',
    [analysisId],
  );
  await insert(idAfter(last));
}

const INSERT_AS_LAST =
  prepared(`insert into analysis_events (id, analysis_id, event_type, message, metadata, created_at)
  select $1, $2, $3, $4, $5, clock_timestamp()
  where not exists (select 1 from analysis_events where analysis_id = $2 and id >= $1) returning 1`);

/** Wakes the clients that follow the analysis and the worker that runs it, once the transaction has committed. */
export async function notifyListeners(tx: Transaction, analysisId: string): Promise<void> {
  await tx.query(prepared('select pg_notify($1, $2)'), [ANALYSIS_EVENTS_CHANNEL, analysisId]);
}

/** Oldest first; all of them without a page. By id alone: callers have read the analysis within its workspace. */
export async function listEvents(
  db: Queryable,
  analysisId: string,
  { after, limit }: Partial<Page> = {},
): Promise<AnalysisEvent[]> {
  return db.query<AnalysisEvent>(
    `select id, event_type as "eventType", message, metadata, created_at as "createdAt"
     from analysis_events where analysis_id = $1 and id > coalesce($2, '') order by id limit $3`,
    [analysisId, after ?? null, limit ?? null],
  );
}
