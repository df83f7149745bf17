import { Readable } from 'node:stream';
import {
  changeAnalyses,
  describeAnalysis,
  listAnalyses,
  listNextAnalyses,
  listSimilarAnalyses,
} from '@earshot/contract';
import { getAnalysisOfWorkspace } from '../analyses/analyses.ts';
import { presentJob } from '../analyses/present.ts';
import { type Implementation, implement } from '../http/implement.ts';
import { nextLink } from '../http/page.ts';
import { changeSongs, exportSelectedSongs } from './bulk.ts';
import { describeSong } from './describe.ts';
import { findSongs } from './find.ts';
import { findNext, findSimilar } from './neighbours.ts';

export const libraryRoutes: Implementation[] = [
  implement(listSimilarAnalyses, async (ctx, { params, query }) => {
    const found = await findSimilar(ctx, params.job_id, { aspect: query.by, limit: query.limit });
    const body = found.map(({ song, ...rest }) => ({ job: presentJob(song), ...rest }));
    return { status: 200, body };
  }),

  implement(listNextAnalyses, async (ctx, { params, query }) => {
    const found = await findNext(ctx, params.job_id, query.limit);
    const body = found.map(({ song, score, mix, reason }) => ({
      job: presentJob(song),
      score,
      key_relation: mix.keyRelation,
      tempo_shift_percent: mix.tempoShiftPercent,
      energy_step: mix.energyStep,
      reason,
    }));
    return { status: 200, body };
  }),

  implement(changeAnalyses, async (ctx, { body }) => {
    // The contract refuses a body that lacks what its action needs.
    const selection = body.ids ? { ids: body.ids } : { filter: body.query! };
    if (body.action === 'export') {
      const choice = { format: body.format!, folder: body.folder ?? null };
      const file = await exportSelectedSongs(ctx, selection, choice);
      const counts = {
        'X-Matched-Count': String(file.matchedCount),
        'X-Changed-Count': String(file.songCount),
      };
      return { status: 200, body: Readable.from([file.body]), headers: { ...file.headers, ...counts } };
    }
    const { matchedCount, changedCount, jobIds } = await changeSongs(ctx, {
      selection,
      action: body.action,
      tags: body.tags ?? [],
      collectionId: body.collection_id ?? null,
    });
    const counts = { matched: matchedCount, changed: changedCount };
    return { status: 200, body: { action: body.action, ...counts, job_ids: jobIds } };
  }),

  implement(listAnalyses, async (ctx, { query }, raw) => {
    const { sort, limit, after, ...filter } = query;
    const { songs, total, totalIsExact, nextCursor } = await findSongs(
      ctx,
      { filter, sort },
      { limit, after: after ?? null },
    );
    return {
      status: 200,
      body: songs.map(presentJob),
      headers: {
        'X-Total-Count': String(total),
        'X-Total-Count-Relation': totalIsExact ? 'exact' : 'at-least',
        ...(nextCursor === null ? {} : nextLink(raw, { after: nextCursor })),
      },
    };
  }),

  implement(describeAnalysis, async (ctx, { params, body }) => {
    await describeSong(ctx, params.job_id, { ...body, tags: body.tags === null ? [] : body.tags });
    return { status: 200, body: presentJob(await getAnalysisOfWorkspace(ctx, params.job_id)) };
  }),
];
