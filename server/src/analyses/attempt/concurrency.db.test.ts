import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as contract from '@earshot/contract';
import { afterAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { SERVER_ROOT } from '../../platform/server-root.ts';
import { keyHeaders, startAnalysisService, startAnalysisWorker } from '../../test/analysis-service.ts';
import { audioForm, createTestClient } from '../../test/client.ts';
import { createTestDatabase } from '../../test/database.ts';
import { buildTestContext } from '../../test/dependencies.ts';
import { createTestMember } from '../../test/member.ts';
import { until } from '../../test/until.ts';
import { runAnalysis } from './run.ts';

type Accepted = z.infer<typeof contract.AcceptedAnalysis>;
type KeyAnalysisFull = z.infer<typeof contract.KeyAnalysisFull>;

const CLIP_COUNT = 4;
/** About seven seconds each. */
const CLIP_BYTES = 110_000;
/** A clip takes seconds; these only end a run that hangs. */
const CLIPS_TIMEOUT_MS = 120_000;

const { db } = await createTestDatabase({ connectionsMax: 20 });
const ctx = await buildTestContext(db);
const service = await startAnalysisService(ctx);
afterAll(() => service.stop());

const song = await readFile(join(SERVER_ROOT, '..', 'examples', 'sample-song', 'two-doors-down.mp3'));
/** Parts of the song after its first packet, which declares the length of the whole; MP3 can be cut anywhere. */
const clips = Array.from({ length: CLIP_COUNT }, (_, index) =>
  song.subarray((index + 1) * CLIP_BYTES, (index + 2) * CLIP_BYTES),
);

/** The results of the clips, and how many ran at the same time at most. All are queued before the worker starts. */
async function analyseClips(concurrency: number): Promise<{ results: string[]; atOnceMax: number }> {
  const client = createTestClient(service.url, await keyHeaders(await createTestMember(ctx)));
  const ids: string[] = [];
  for (const clip of clips) {
    const body = audioForm(clip, { fileName: 'clip.mp3' });
    const accepted = await client.send<Accepted>('/v1/analyze/upload', { method: 'POST', body });
    ids.push(accepted.body.job_id);
  }
  let atOnce = 0;
  let atOnceMax = 0;
  const worker = await startAnalysisWorker(ctx, {
    concurrency: () => concurrency,
    run: async (...attempt) => {
      atOnce++;
      atOnceMax = Math.max(atOnceMax, atOnce);
      try {
        await runAnalysis(...attempt);
      } finally {
        atOnce--;
      }
    },
  });
  try {
    const hasEnded = async (id: string) => {
      const { body } = await client.get(`/v1/analysis/${id}`, { prefer: 'wait=30' });
      return body.status !== 'processing';
    };
    for (const id of ids) await until(() => hasEnded(id), 'the analysis ends', CLIPS_TIMEOUT_MS);
    const answers = await Promise.all(
      ids.map((id) => client.get<KeyAnalysisFull>(`/v1/analysis/${id}/full`)),
    );
    return { results: answers.map(({ body }) => withoutClock(body)), atOnceMax };
  } finally {
    await worker.stop(0);
  }
}

/** A result without the time and duration of its analysis. */
function withoutClock({ status, result }: KeyAnalysisFull): string {
  expect(status).toBe('completed');
  const { analysed_at, analysis_seconds, ...provenance } = result!.provenance!;
  expect([analysed_at, analysis_seconds]).toEqual([expect.any(String), expect.any(Number)]);
  return JSON.stringify({ ...result, provenance });
}

it('gives the same bytes whether one analysis runs at a time or four', {
  timeout: 2 * CLIPS_TIMEOUT_MS,
}, async () => {
  const alone = await analyseClips(1);
  const together = await analyseClips(CLIP_COUNT);
  expect([alone.atOnceMax, together.atOnceMax]).toEqual([1, CLIP_COUNT]);
  expect(together.results).toEqual(alone.results);
  // The results are not trivially equal: the clips differ, and each has the tempo of the song (truth.json).
  expect(new Set(alone.results).size).toBe(CLIP_COUNT);
  const temposBpm = alone.results.map((result) => Math.round(JSON.parse(result).bpm));
  expect(temposBpm).toEqual(Array(CLIP_COUNT).fill(112));
});
