import type { ResultDocument } from '@earshot/exports';
import type { Queryable, Transaction } from '../platform/postgres.ts';

/** The flat part of a result is kept apart from its bulk: a poll reads kilobytes, not megabytes. */
export type StoredSummary = Omit<ResultDocument, keyof StoredGroups>;
export type StoredGroups = Pick<
  ResultDocument,
  | 'file'
  | 'rhythm'
  | 'tonal'
  | 'structure'
  | 'loudness'
  | 'quality'
  | 'timbre'
  | 'content'
  | 'waveform'
  | 'fingerprint'
  | 'tags'
  | 'provenance'
  | 'enrichment'
>;

/** The two parts a result is stored in. */
export function splitDocument(document: ResultDocument): { summary: StoredSummary; groups: StoredGroups } {
  const { file, rhythm, tonal, structure, loudness, quality, timbre, content, waveform, ...rest } = document;
  const { fingerprint, tags, provenance, enrichment, ...summary } = rest;
  const groups = {
    ...{ file, rhythm, tonal, structure, loudness, quality, timbre, content, waveform },
    ...{ fingerprint, tags, provenance, enrichment },
  };
  return { summary, groups };
}

export async function insertResult(
  tx: Transaction,
  analysisId: string,
  document: ResultDocument,
  supplement: Uint8Array,
): Promise<void> {
  const { summary, groups } = splitDocument(document);
  await tx.query(
    `insert into analysis_results (analysis_id, schema_version, engine_version, summary, groups, visuals)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      analysisId,
      document.schema_version,
      document.engine_version,
      JSON.stringify(summary),
      JSON.stringify(groups),
      Buffer.from(supplement),
    ],
  );
}

export type SummaryWithSections = {
  summary: StoredSummary;
  sections: NonNullable<ResultDocument['structure']>['sections'] | null;
};

/** The database picks the sections out of the bulk; only they come here. */
export async function findSummary(db: Queryable, analysisId: string): Promise<SummaryWithSections | null> {
  const row = await db.maybeOne<SummaryWithSections>(
    `select summary, groups #> '{structure,sections}' as sections from analysis_results where analysis_id = $1`,
    [analysisId],
  );
  return row && { ...row, summary: withCorrections(row.summary) };
}

export async function findDocument(db: Queryable, analysisId: string): Promise<ResultDocument | null> {
  const row = await db.maybeOne<{ summary: StoredSummary; groups: StoredGroups }>(
    'select summary, groups from analysis_results where analysis_id = $1',
    [analysisId],
  );
  // Results from before there were tags have none.
  return row && { ...withCorrections(row.summary), ...row.groups, tags: row.groups.tags ?? null };
}

/** Results from before there were any have no such member. */
function withCorrections(summary: StoredSummary): StoredSummary {
  return { ...summary, corrections: null };
}

/** As of supplement-bytes.ts. */
export async function findSupplement(db: Queryable, analysisId: string): Promise<Uint8Array | null> {
  const row = await db.maybeOne<{ visuals: Buffer }>(
    'select visuals from analysis_results where analysis_id = $1',
    [analysisId],
  );
  return row?.visuals ?? null;
}
