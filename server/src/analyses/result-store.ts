import type { ResultDocument } from '@earshot/exports';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import { GROUP_NAMES, type GroupsRow, groupsOf, packGroups, type StoredGroups } from './stored-groups.ts';

/** The scalar part of a result, apart from its groups: a poll reads 0.7 kB instead of unpacking the 220 kB of a four-minute song. */
export type StoredSummary = Omit<ResultDocument, keyof StoredGroups>;

export function splitDocument(document: ResultDocument): { summary: StoredSummary; groups: StoredGroups } {
  const isOfSummary = ([name]: [string, unknown]) => !(GROUP_NAMES as readonly string[]).includes(name);
  return {
    summary: Object.fromEntries(Object.entries(document).filter(isOfSummary)) as StoredSummary,
    groups: Object.fromEntries(GROUP_NAMES.map((name) => [name, document[name]])) as StoredGroups,
  };
}

export async function insertResult(
  tx: Transaction,
  analysisId: string,
  document: ResultDocument,
  supplement: Uint8Array,
): Promise<void> {
  const { summary, groups } = splitDocument(document);
  const sections = document.structure?.sections.map(({ start_seconds, end_seconds, label }) => ({
    start_seconds,
    end_seconds,
    label,
  }));
  await tx.query(
    `insert into analysis_results (analysis_id, schema_version, engine_version, summary, sections, packed_groups, visuals)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      analysisId,
      document.schema_version,
      document.engine_version,
      JSON.stringify(summary),
      sections ? JSON.stringify(sections) : null,
      packGroups(groups),
      Buffer.from(supplement),
    ],
  );
}

/** Corrections are stored apart from results, and results older than the feature lack the member. */
const UNCORRECTED = { corrections: null };

type Section = NonNullable<ResultDocument['structure']>['sections'][number];
export type SummaryWithSections = {
  summary: StoredSummary;
  sections: Pick<Section, 'start_seconds' | 'end_seconds' | 'label'>[] | null;
};

/**
 * This query and those below are by id alone: callers have read the analysis within its workspace.
 *
 * Results stored before groups were packed have no `sections`: PostgreSQL extracts them from the JSON.
 */
export async function findSummary(db: Queryable, analysisId: string): Promise<SummaryWithSections | null> {
  const row = await db.maybeOne<SummaryWithSections>(
    `select summary, coalesce(sections, groups #> '{structure,sections}') as sections from analysis_results where analysis_id = $1`,
    [analysisId],
  );
  return row && { ...row, summary: { ...row.summary, ...UNCORRECTED } };
}

export async function findDocument(db: Queryable, analysisId: string): Promise<ResultDocument | null> {
  const row = await db.maybeOne<{ summary: StoredSummary } & GroupsRow>(
    'select summary, groups, packed_groups from analysis_results where analysis_id = $1',
    [analysisId],
  );
  if (row === null) return null;
  const groups = groupsOf(row);
  // Results stored before there were tags lack the member.
  return { ...row.summary, ...UNCORRECTED, ...groups, tags: groups.tags ?? null };
}

/** In the format of supplement-bytes.ts. */
export async function findSupplement(db: Queryable, analysisId: string): Promise<Uint8Array | null> {
  const row = await db.maybeOne<{ visuals: Buffer }>(
    'select visuals from analysis_results where analysis_id = $1',
    [analysisId],
  );
  return row?.visuals ?? null;
}
