import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { MemberContext } from '../context.ts';
import { markObjectStored, openUploadSlot } from '../storage-objects/storage-objects.ts';
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
import { attachDownload } from './store.ts';

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db, {}, { ACOUSTID_API_KEY: 'key of the tests' });
const url = 'http://127.0.0.1:9/a.wav';

async function submit(member: MemberContext, options: Partial<NewAnalysis> = {}): Promise<string> {
  const items = [{ ...PLAIN_ANALYSIS, source: { url }, ...options }];
  const [created] = await db.transaction((tx) => createAnalyses(member, tx, { surface: 'workspace', items }));
  return created!.id;
}

async function upload(member: MemberContext): Promise<{ id: string; key: string }> {
  const file = { contentType: 'audio/wav', fileName: 'a.wav' };
  const slot = await db.transaction((tx) => openUploadSlot(member, tx, file));
  await ctx.storage.put(slot.key, Readable.from([Buffer.from('RIFF')]), {
    bytesMax: 4,
    contentType: 'audio/wav',
  });
  return slot;
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

it('repeats each of several uploads that were kept', async () => {
  const member = await createTestMember(ctx);
  const uploadOf = new Map<string, string>();
  for (let n = 0; n < 2; n++) {
    const { id: storageObjectId } = await upload(member);
    const id = await submit(member, { source: { storageObjectId }, retainSource: true });
    await cancelAnalysis(member, id);
    uploadOf.set(id, storageObjectId);
  }
  const again = await repeat(member, [...uploadOf.keys()].reverse());
  expect(again.map(({ oldId }) => oldId).sort()).toEqual([...uploadOf.keys()].sort());
  for (const { oldId, newId } of again)
    expect(await getAnalysisOfWorkspace(member, newId)).toMatchObject({
      status: 'queued',
      sourceKind: 'object',
      storageObjectId: uploadOf.get(oldId),
    });
});

it.each([
  ['its kept audio', true],
  ['the URL when its audio was not kept', false],
])('repeats an analysis of a URL from %s', async (_, retainSource) => {
  const member = await createTestMember(ctx);
  const { id: storageObjectId } = await upload(member);
  const id = await submit(member, { retainSource });
  await db.transaction(async (tx) => {
    await markObjectStored(tx, storageObjectId, { byteSize: 4, sha256: 'of RIFF' });
    await attachDownload(tx, id, storageObjectId);
  });
  await cancelAnalysis(member, id);
  const [again] = await repeat(member, [id]);
  expect(await getAnalysisOfWorkspace(member, again!.newId)).toMatchObject(
    retainSource ? { sourceUrl: null, storageObjectId } : { sourceUrl: url, storageObjectId: null },
  );
});

it('repeats all or none: not one that is still queued, nor one of another workspace', async () => {
  const [member, other] = [await createTestMember(ctx), await createTestMember(ctx)];
  const [ended, queued, foreign] = [await submit(member), await submit(member), await submit(other)];
  await cancelAnalysis(member, ended);
  await cancelAnalysis(other, foreign);
  await expect(repeat(member, [ended, queued])).rejects.toMatchObject({ code: 'not_finished' });
  await expect(repeat(member, [ended, foreign])).rejects.toMatchObject({ code: 'not_found' });
  const own = 'select 1 from analyses where workspace_id = $1';
  expect(await db.query(own, [member.actor.workspaceId])).toHaveLength(2);
});

it('erases all or none, and their files', async () => {
  const [member, other] = [await createTestMember(ctx), await createTestMember(ctx)];
  const { id: storageObjectId, key } = await upload(member);
  const first = await submit(member, { source: { storageObjectId }, retainSource: true });
  const [second, foreign] = [await submit(member), await submit(other)];
  const erase = (ids: string[]) => db.transaction((tx) => eraseAnalyses(member, tx, ids));
  await expect(erase([first, foreign])).rejects.toMatchObject({ code: 'not_found' });
  await expect(getAnalysisOfWorkspace(member, first)).resolves.toMatchObject({ status: 'queued' });
  const deletions = await erase([first, second]);
  for (const id of [first, second])
    await expect(getAnalysisOfWorkspace(member, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await ctx.storage.stat(key)).toMatchObject({ byteSize: 4 });
  for (const deleteFiles of deletions) await deleteFiles();
  expect(await ctx.storage.stat(key)).toBeNull();
});
