import { expect, it } from 'vitest';
import type { MemberContext } from '../context.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import {
  cancelAnalysis,
  createAnalyses,
  getAnalysisOfWorkspace,
  type NewAnalysis,
  PLAIN_ANALYSIS,
} from './analyses.ts';
import { analyseAgain, eraseAnalyses } from './bulk.ts';

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db, {}, { ACOUSTID_API_KEY: 'key of the tests' });
const url = 'http://127.0.0.1:9/a.wav';

async function submit(member: MemberContext, options: Partial<NewAnalysis> = {}): Promise<string> {
  const items = [{ ...PLAIN_ANALYSIS, source: { url }, ...options }];
  const [created] = await db.transaction((tx) => createAnalyses(member, tx, { surface: 'workspace', items }));
  return created!.id;
}

const repeat = (member: MemberContext, ids: string[]) =>
  db.transaction((tx) => analyseAgain(member, tx, ids));

it('repeats an analysis with its options but without its webhook, and keeps the old one', async () => {
  const member = await createTestMember(ctx);
  const options = {
    features: ['rhythm' as const],
    hints: { bpm: 120 },
    metadata: { album: 'one' },
    enrich: ['acoustid'],
    retainSource: true,
  };
  const id = await submit(member, { ...options, webhookUrl: 'http://127.0.0.1:9/hook' });
  await cancelAnalysis(member, id);
  const [again] = await repeat(member, [id]);
  expect(again?.oldId).toBe(id);
  expect(await getAnalysisOfWorkspace(member, again!.newId)).toMatchObject({
    ...options,
    status: 'queued',
    sourceUrl: url,
    webhookUrl: null,
  });
  expect(await getAnalysisOfWorkspace(member, id)).toMatchObject({ status: 'canceled' });
});

it('repeats all or none: not one that is still queued, nor one of another workspace', async () => {
  const [member, other] = [await createTestMember(ctx), await createTestMember(ctx)];
  const [ended, queued, foreign] = [await submit(member), await submit(member), await submit(other)];
  await cancelAnalysis(member, ended);
  await cancelAnalysis(other, foreign);
  await expect(repeat(member, [ended, queued])).rejects.toMatchObject({ code: 'not_finished' });
  await expect(repeat(member, [ended, foreign])).rejects.toMatchObject({ code: 'not_found' });
  const count = 'select 1 from analyses where workspace_id = $1';
  expect(await db.query(count, [member.actor.workspaceId])).toHaveLength(2);
});

it('erases all or none', async () => {
  const [member, other] = [await createTestMember(ctx), await createTestMember(ctx)];
  const [first, second, foreign] = [await submit(member), await submit(member), await submit(other)];
  const erase = (ids: string[]) => db.transaction((tx) => eraseAnalyses(member, tx, ids));
  await expect(erase([first, foreign])).rejects.toMatchObject({ code: 'not_found' });
  await expect(getAnalysisOfWorkspace(member, first)).resolves.toMatchObject({ status: 'queued' });
  for (const deleteFiles of await erase([first, second])) await deleteFiles();
  for (const id of [first, second])
    await expect(getAnalysisOfWorkspace(member, id)).rejects.toMatchObject({ code: 'not_found' });
});
