import type { Correction } from '@earshot/contract';
import { getCorrections, replaceCorrections } from '@earshot/contract';
import type { z } from 'zod';
import { type Implementation, implement } from '../http/implement.ts';
import { getCorrection, replaceCorrection } from './corrections.ts';
import type { CorrectionRow } from './store.ts';

export const correctionRoutes: Implementation[] = [
  implement(getCorrections, async (ctx, { params }) => ({
    status: 200,
    body: presentCorrection(params.job_id, await getCorrection(ctx, params.job_id)),
  })),

  implement(replaceCorrections, async (ctx, { params, body }) => {
    const values = {
      bpm: body.bpm ?? null,
      key: body.key ?? null,
      first_downbeat_seconds: body.first_downbeat_seconds ?? null,
      note: body.note ?? null,
    };
    return {
      status: 200,
      body: presentCorrection(params.job_id, await replaceCorrection(ctx, params.job_id, values)),
    };
  }),
];

function presentCorrection(jobId: string, row: CorrectionRow | null): z.input<typeof Correction> {
  return {
    job_id: jobId,
    bpm: row?.bpm ?? null,
    key: row?.key ?? null,
    first_downbeat_seconds: row?.first_downbeat_seconds ?? null,
    note: row?.note ?? null,
    corrected_by: row?.corrected_by ?? null,
    updated_at: row?.updated_at.toISOString() ?? null,
  };
}
