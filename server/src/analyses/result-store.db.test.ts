import { expect, it } from 'vitest';
import { addTestSong } from '../library/test-songs.ts';
import { createTestDatabase } from '../test/database.ts';
import { buildTestContext } from '../test/dependencies.ts';
import { createTestMember } from '../test/member.ts';
import { findDocument, findSummary } from './result-store.ts';
import { type GroupsRow, groupsOf } from './stored-groups.ts';

const { db } = await createTestDatabase();
const ctx = await buildTestContext(db);

it('reads a result from before packing, tags and corrections like one of today', async () => {
  const id = await addTestSong(db, (await createTestMember(ctx)).actor.workspaceId);
  const [document, summary] = [await findDocument(db, id), await findSummary(db, id)];
  expect(document).toMatchObject({ tags: null, corrections: null });
  const select = 'select groups, packed_groups from analysis_results where analysis_id = $1';
  const { tags: _, ...groups } = groupsOf(await db.one<GroupsRow>(select, [id]));
  await db.query(
    `update analysis_results set groups = $2, packed_groups = null, sections = null,
       summary = (summary::jsonb - 'corrections')::json
     where analysis_id = $1`,
    [id, JSON.stringify(groups)],
  );
  expect(await findDocument(db, id)).toEqual(document);
  // Sections had all their members then.
  expect(await findSummary(db, id)).toMatchObject(summary!);
});
