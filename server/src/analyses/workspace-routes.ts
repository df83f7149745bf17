import {
  cancelAnalysis as cancelOperation,
  createAccountAnalysis,
  createAnalysis,
  createJobWebhookDelivery,
  deleteArtifact,
  deleteAnalysis as deleteOperation,
  exportAnalysis,
  getAccountAnalysis,
  getAccountAnalysisResult,
  getAnalysis,
  getAnalysisResult,
  getArtifact,
  listAccountAnalysisEvents,
  listAnalysisEvents,
} from '@earshot/contract';
import serverPackage from '../../package.json' with { type: 'json' };
import type { MemberContext } from '../context.ts';
import { ValidationFailed, valueError } from '../errors.ts';
import { tagOf } from '../http/entity-tag.ts';
import {
  type IdempotentRequest,
  readIdempotencyKey,
  requestOf,
  withIdempotency,
} from '../http/idempotency.ts';
import { type Implementation, type InputOf, implement, type Raw } from '../http/implement.ts';
import { onceClosed } from '../http/once-closed.ts';
import { answerPage } from '../http/page.ts';
import { presentDelivery } from '../webhooks/present.ts';
import {
  assertAnalysisAllowed,
  cancelAnalysis,
  createAnalyses,
  deleteAnalysis,
  getAnalysisOfWorkspace,
  type NewAnalysis,
  PLAIN_ANALYSIS,
} from './analyses.ts';
import { type Analysis, hasEnded } from './analysis.ts';
import { announceAgain } from './announce-again.ts';
import { listEvents } from './events.ts';
import { POLL_AGAIN, pickParts, presentEvent, presentJob, presentResult } from './present.ts';
import { readOptions } from './read-options.ts';
import { hasSeenEnd, streamEvents } from './reading/event-stream.ts';
import { writeExport } from './reading/export.ts';
import { readWithWait } from './reading/long-poll.ts';
import { readDocument } from './reading/results.ts';
import { openArtifact } from './report/artifacts.ts';
import { presentReport } from './report/report-artifact.ts';
import { deleteRetainedSource } from './source-deletion.ts';

export const workspaceAnalysisRoutes: Implementation[] = [
  implement(createAnalysis, async (ctx, { body }, raw) => {
    const item = readRequest(body);
    const check = () =>
      assertAnalysisAllowed(ctx, [{ ...item, place: { loc: ['body'], urlField: 'source_url' } }]);
    return submit(ctx, item, { ...requestOf(createAnalysis, raw), check });
  }),

  implement(createAccountAnalysis, async (ctx, { body }, raw) => {
    const item: NewAnalysis = { ...PLAIN_ANALYSIS, source: { storageObjectId: body.storage_object_id } };
    const key = agreedKey(raw.idempotencyKey, body.idempotency_key);
    return submit(ctx, item, { ...requestOf(createAccountAnalysis, raw), key });
  }),

  implement(getAnalysis, readJob),
  implement(getAccountAnalysis, readJob),
  implement(listAnalysisEvents, readEvents),
  implement(listAccountAnalysisEvents, readEvents),
  implement(getAnalysisResult, readResult),
  implement(getAccountAnalysisResult, readResult),

  implement(createJobWebhookDelivery, (ctx, { params }, raw) =>
    withIdempotency(ctx, requestOf(createJobWebhookDelivery, raw), async (tx) => {
      const [newest, ...others] = await announceAgain(ctx, tx, params.job_id);
      const related_delivery_ids = others.map((delivery) => delivery.id);
      return {
        status: 201 as const,
        body: { ...presentDelivery(newest), job_id: params.job_id, related_delivery_ids },
      };
    }),
  ),

  implement(cancelOperation, async (ctx, { params }) => ({
    status: 200,
    body: presentJob(await cancelAnalysis(ctx, params.job_id)),
  })),

  implement(deleteOperation, async (ctx, { params }) => {
    await deleteAnalysis(ctx, params.job_id);
    return { status: 200, body: { deleted: true } };
  }),

  implement(exportAnalysis, async (ctx, { params, query }) => {
    const file = await writeExport(ctx, params.job_id, params.format, query.as_heard);
    return { status: 200, body: file.body, headers: file.headers };
  }),

  implement(getArtifact, (ctx, { params }, { request }) =>
    openArtifact(ctx, { id: params.job_id, name: params.name, rangeHeader: request.headers.range }),
  ),

  implement(deleteArtifact, async (ctx, { params }) => {
    await deleteRetainedSource(ctx, params.job_id);
    return { status: 200, body: { deleted: true } };
  }),
];

async function submit(ctx: MemberContext, item: NewAnalysis, request: IdempotentRequest) {
  const answer = await withIdempotency(ctx, request, async (tx) => {
    const [analysis] = await createAnalyses(ctx, tx, { surface: 'workspace', items: [item] });
    return { status: 202 as const, body: presentJob(analysis!) };
  });
  return { ...answer, headers: { ...answer.headers, Location: `/v1/analyses/${answer.body.id}` } };
}

function readRequest(body: InputOf<typeof createAnalysis>['body']): NewAnalysis {
  // The contract refuses a body with neither.
  const source = body.source_url ? { url: body.source_url } : { storageObjectId: body.storage_object_id! };
  return { ...readOptions(body), source };
}

/** The key may be sent in the header or in the body. */
function agreedKey(header: string | null, bodyField: string | null | undefined): string | null {
  const inBody = readIdempotencyKey(bodyField ?? undefined, ['body', 'idempotency_key']);
  if (header !== null && inBody !== null && header !== inBody) {
    const sentence = 'it differs from the header Idempotency-Key: send one of them, or the same in both';
    throw new ValidationFailed([valueError(['body', 'idempotency_key'], sentence, inBody)]);
  }
  return header ?? inBody;
}

type JobInput = Pick<InputOf<typeof getAnalysis>, 'params' | 'headers'>;

async function readJob(ctx: MemberContext, { params, headers }: JobInput, raw: Raw) {
  const { analysis, answerHeaders } = await readWithWait(ctx, params.job_id, headers.prefer, raw);
  return { status: 200 as const, body: presentJob(analysis), headers: answerHeaders };
}

type ResultInput = InputOf<typeof getAnalysisResult>;

async function readResult(ctx: MemberContext, { params, headers, query }: ResultInput, raw: Raw) {
  const { analysis, answerHeaders } = await readWithWait(ctx, params.job_id, headers.prefer, raw);
  if (!hasEnded(analysis)) {
    return {
      status: 202 as const,
      body: presentResult(analysis, null, null),
      headers: { ...answerHeaders, ...POLL_AGAIN },
    };
  }
  const body = async () => {
    const document = await readDocument(ctx, analysis, query.as_heard);
    const report = presentReport(ctx.config, analysis);
    return presentResult(analysis, document && pickParts(document, query), report);
  };
  const tag = tagOfResult(ctx, analysis, query);
  return { status: 200 as const, body, headers: answerHeaders, ...(tag && { tag }) };
}

/** A finished result changes only with a correction (no tag then) or a release of the service, so the row suffices for its tag. */
function tagOfResult(
  { config }: MemberContext,
  analysis: Analysis,
  { groups, without, as_heard }: ResultInput['query'],
): string | null {
  if (analysis.corrected && !as_heard) return null;
  return tagOf(
    JSON.stringify([
      serverPackage.version,
      config.baseUrl,
      analysis.id,
      analysis.updatedAt,
      groups,
      without,
      as_heard,
    ]),
  );
}

type EventsInput = InputOf<typeof listAnalysisEvents>;

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Without it nginx buffers the stream.
  'X-Accel-Buffering': 'no',
};

async function readEvents(ctx: MemberContext, { params, query, headers }: EventsInput, raw: Raw) {
  const analysis = await getAnalysisOfWorkspace(ctx, params.job_id);
  if (!headers.accept?.toLowerCase().includes('text/event-stream')) {
    return answerPage(raw, query, (page) => listEvents(ctx.db, analysis.id, page), presentEvent);
  }
  const lastEventId = headers['last-event-id'] ?? null;
  // An EventSource does not reconnect after a 204.
  if (await hasSeenEnd(ctx, analysis.id, lastEventId)) return { status: 204 as const, body: null };
  const release = ctx.connectionSlots.reserveForStream(ctx.actor.workspaceId);
  onceClosed(raw.reply.raw, release);
  const access = await raw.watchAccess().catch((error: unknown) => {
    release();
    throw error;
  });
  onceClosed(raw.reply.raw, access.stop);
  const body = streamEvents(ctx, analysis.id, { lastEventId, signal: access.lost });
  onceClosed(raw.reply.raw, () => body.destroy());
  return { status: 200 as const, body, headers: STREAM_HEADERS };
}
