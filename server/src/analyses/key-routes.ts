import {
  type AnalysisOptions,
  analyzeBatch,
  analyzeUpload,
  analyzeUrl,
  createBatch,
  getKeyAnalysis,
  getKeyAnalysisFull,
  listKeyAnalysisWebhooks,
} from '@earshot/contract';
import type { MemberContext } from '../context.ts';
import { assertStillAllowed } from '../http/access.ts';
import { canonicalJson } from '../http/canonical-json.ts';
import {
  hashRequest,
  type IdempotentAnswer,
  type IdempotentRequest,
  requestOf,
  withIdempotency,
} from '../http/idempotency.ts';
import { type Implementation, type InputOf, implement } from '../http/implement.ts';
import { answerPage } from '../http/page.ts';
import { markObjectStored } from '../storage-objects/storage-objects.ts';
import { assertCreditLeft } from '../usage/usage.ts';
import { listAttempts } from '../webhooks/deliveries.ts';
import { presentAttempt } from '../webhooks/present.ts';
import {
  assertAnalysisAllowed,
  createAnalyses,
  getAnalysisOfWorkspace,
  type ItemPlace,
  type NewAnalysis,
} from './analyses.ts';
import { type Analysis, hasEnded } from './analysis.ts';
import { POLL_AGAIN, presentAccepted, presentKeyAnalysis, presentKeyAnalysisFull } from './present.ts';
import { readOptions } from './read-options.ts';
import { readWithWait } from './reading/long-poll.ts';
import { readDocument, readSummary } from './reading/results.ts';
import { receiveUpload } from './receive-upload.ts';

export const keyAnalysisRoutes: Implementation[] = [
  implement(analyzeUpload, async (ctx, _input, raw) => {
    // Checked before the body is read, to spare the client a vain upload. A replay must still get its stored answer.
    if (raw.idempotencyKey === null) {
      await assertCreditLeft(ctx.db, { workspaceId: ctx.actor.workspaceId, now: ctx.clock() });
    }
    const upload = await receiveUpload(ctx, raw.request.raw, ctx.actor);
    const { objectId: storageObjectId, stored, options } = upload;
    try {
      const item: NewAnalysis = { ...readOptions(options), source: { storageObjectId } };
      await assertStillAllowed(raw);
      // Every request has a random multipart boundary, so the hash covers the form's content.
      const requestHash = hashRequest([analyzeUpload.id, stored.sha256, canonicalJson(options)]);
      const check = () => assertAnalysisAllowed(ctx, [{ ...item, place: { loc: ['body'], urlField: null } }]);
      const request = { ...requestOf(analyzeUpload, raw), requestHash, check };
      const answer = await withIdempotency(ctx, request, async (tx) => {
        await markObjectStored(tx, storageObjectId, stored);
        const [analysis] = await createAnalyses(ctx, tx, { surface: 'key', items: [item] });
        return { status: 202 as const, body: presentAccepted(analysis!) };
      });
      if (answer.replayed) await upload.discard();
      return withLocation(answer);
    } catch (error) {
      await upload.discard();
      throw error;
    }
  }),

  implement(analyzeUrl, async (ctx, { body }, raw) => {
    const items = [urlAnalysis(body, { loc: ['body'], urlField: 'url' })];
    const request = { ...requestOf(analyzeUrl, raw), check: () => assertAnalysisAllowed(ctx, items) };
    const answer = await withIdempotency(ctx, request, async (tx) => {
      const [analysis] = await createAnalyses(ctx, tx, { surface: 'key', items });
      return { status: 202 as const, body: presentAccepted(analysis!) };
    });
    return withLocation(answer);
  }),

  implement(createBatch, (ctx, { body }, raw) => submitBatch(ctx, body, requestOf(createBatch, raw))),
  implement(analyzeBatch, (ctx, { body }, raw) => submitBatch(ctx, body, requestOf(analyzeBatch, raw))),

  implement(getKeyAnalysis, async (ctx, { params, headers, query }, raw) => {
    const { analysis, answerHeaders } = await readWithWait(ctx, params.job_id, headers.prefer, raw);
    const summary = await readSummary(ctx, analysis, query.as_heard);
    return { ...statusOf(analysis, answerHeaders), body: presentKeyAnalysis(analysis, summary) };
  }),

  implement(getKeyAnalysisFull, async (ctx, { params, headers, query }, raw) => {
    const { analysis, answerHeaders } = await readWithWait(ctx, params.job_id, headers.prefer, raw);
    const document = await readDocument(ctx, analysis, query.as_heard);
    return { ...statusOf(analysis, answerHeaders), body: presentKeyAnalysisFull(analysis, document) };
  }),

  implement(listKeyAnalysisWebhooks, async (ctx, { params, query }, raw) => {
    const { id } = await getAnalysisOfWorkspace(ctx, params.job_id);
    const answer = await answerPage(raw, query, (page) => listAttempts(ctx, id, page), presentAttempt);
    return { ...answer, body: { job_id: id, attempts: answer.body } };
  }),
];

function statusOf(analysis: Analysis, headers: Record<string, string>) {
  return hasEnded(analysis)
    ? { status: 200 as const, headers }
    : { status: 202 as const, headers: { ...headers, ...POLL_AGAIN } };
}

type BatchBody = InputOf<typeof createBatch>['body'];

async function submitBatch(ctx: MemberContext, body: BatchBody, request: IdempotentRequest) {
  const items = body.items
    ? body.items.map((item, index) =>
        urlAnalysis(item, { loc: ['body', 'items', String(index)], urlField: 'url' }),
      )
    : (body.urls ?? []).map((url, index) =>
        urlAnalysis({ url }, { loc: ['body', 'urls', String(index)], urlField: null }),
      );
  const check = () => assertAnalysisAllowed(ctx, items);
  return withIdempotency(ctx, { ...request, check }, async (tx) => {
    const analyses = await createAnalyses(ctx, tx, { surface: 'key', items });
    const jobs = analyses.map((analysis, index) => ({
      ...presentAccepted(analysis),
      url: items[index]!.source.url,
    }));
    return { status: 202 as const, body: { jobs } };
  });
}

function urlAnalysis(item: { url: string } & AnalysisOptions, place: ItemPlace) {
  return { ...readOptions(item), source: { url: item.url }, place };
}

function withLocation<A extends IdempotentAnswer<202, { job_id: string }>>(answer: A): A {
  return { ...answer, headers: { ...answer.headers, Location: `/v1/analysis/${answer.body.job_id}` } };
}
