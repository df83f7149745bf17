import {
  type Correction,
  type CorrectionRequest,
  getAccountCorrections,
  getCorrections,
  removeCorrections,
  replaceAccountCorrections,
  replaceCorrections,
} from '@earshot/contract';
import type { z } from 'zod';
import type { MemberContext } from '../context.ts';
import { type Implementation, implement } from '../http/implement.ts';
import { getCorrection, removeCorrection, replaceCorrection } from './corrections.ts';
import type { CorrectionRow } from './store.ts';

export const correctionRoutes: Implementation[] = [
  implement(getCorrections, read),
  implement(getAccountCorrections, read),
  implement(replaceCorrections, replace),
  implement(replaceAccountCorrections, replace),
  implement(removeCorrections, async (ctx, { params }) => ({
    status: 200,
    body: presentCorrection(params.job_id, await removeCorrection(ctx, params.job_id)),
  })),
];

async function read(ctx: MemberContext, { params }: { params: { job_id: string } }) {
  const row = await getCorrection(ctx, params.job_id);
  return { status: 200 as const, body: presentCorrection(params.job_id, row) };
}

type ReplaceInput = { params: { job_id: string }; body: z.output<typeof CorrectionRequest> };

async function replace(ctx: MemberContext, { params, body }: ReplaceInput) {
  const { note, ...changes } = body;
  const row = await replaceCorrection(ctx, params.job_id, { changes, note: note ?? null });
  return { status: 200 as const, body: presentCorrection(params.job_id, row) };
}

function presentCorrection(jobId: string, row: CorrectionRow | null): z.input<typeof Correction> {
  const changes = row?.changes ?? {};
  return {
    job_id: jobId,
    kinds: row?.kinds ?? [],
    tempo: changes.tempo ?? null,
    bpm: row?.bpm ?? null,
    first_downbeat_seconds: changes.first_downbeat_seconds ?? null,
    shift_beats: changes.shift_beats ?? null,
    beats_per_bar: changes.beats_per_bar ?? null,
    key: changes.key ?? null,
    sections: changes.sections ?? null,
    chords: changes.chords ?? null,
    beats: changes.beats ?? null,
    note: row?.note ?? null,
    corrected_by: row?.corrected_by ?? null,
    updated_at: row?.updated_at.toISOString() ?? null,
  };
}
