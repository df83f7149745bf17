import { analyzeDemoUpload, analyzeDemoUrl, getDemoAnalysis } from '@earshot/contract';
import { hasEnded } from '../analyses/analysis.ts';
import { POLL_AGAIN, presentAccepted, presentKeyAnalysisFull } from '../analyses/present.ts';
import { readDocument } from '../analyses/reading/results.ts';
import { receiveUpload } from '../analyses/receive-upload.ts';
import { requestOf, withIdempotency } from '../http/idempotency.ts';
import { type Implementation, implement } from '../http/implement.ts';
import { assertUrlsAllowed } from '../platform/allowed-urls.ts';
import { type AcceptedDemo, consumeDemoLimits, getDemo, startDemo, startUploadDemo } from './demo.ts';

export const demoRoutes: Implementation[] = [
  implement(analyzeDemoUrl, async (ctx, { body }, raw) => {
    const check = async () => {
      await consumeDemoLimits(ctx);
      await assertUrlsAllowed(ctx, [{ url: body.url, loc: ['body', 'url'] }]);
    };
    return withIdempotency(ctx, { ...requestOf(analyzeDemoUrl, raw), check }, async (tx) => ({
      status: 202,
      body: presentDemo(await startDemo(ctx, tx, { url: body.url })),
    }));
  }),

  // Without an idempotency key, a file sent twice makes two jobs, of which the client has five an hour.
  implement(analyzeDemoUpload, async (ctx, _input, raw) => {
    await consumeDemoLimits(ctx);
    const upload = await receiveUpload(ctx, raw.request.raw, null);
    return { status: 202, body: presentDemo(await startUploadDemo(ctx, upload)) };
  }),

  implement(getDemoAnalysis, async (ctx, { params, query }) => {
    const analysis = await getDemo(ctx, params.job_id, query.token);
    if (!hasEnded(analysis))
      return { status: 202, body: presentKeyAnalysisFull(analysis, null), headers: POLL_AGAIN };
    const document = await readDocument(ctx, analysis);
    return { status: 200, body: presentKeyAnalysisFull(analysis, document) };
  }),
];

function presentDemo({ analysis, pollUrl, expiresAt }: AcceptedDemo) {
  return { ...presentAccepted(analysis), poll_url: pollUrl, expires_at: expiresAt.toISOString() };
}
