import { analyzeDemoUrl, getDemoAnalysis } from '@earshot/contract';
import { hasEnded } from '../analyses/analysis.ts';
import { POLL_AGAIN } from '../analyses/poll.ts';
import { presentAccepted, presentKeyAnalysisFull } from '../analyses/present.ts';
import { readDocument } from '../analyses/results.ts';
import { type Implementation, implement } from '../http/implement.ts';
import { getDemo, startDemo } from './demo.ts';

export const demoRoutes: Implementation[] = [
  implement(analyzeDemoUrl, async (ctx, { body }) => {
    const { analysis, pollUrl, expiresAt } = await startDemo(ctx, body.url);
    return {
      status: 202,
      body: { ...presentAccepted(analysis), poll_url: pollUrl, expires_at: expiresAt.toISOString() },
    };
  }),

  implement(getDemoAnalysis, async (ctx, { params, query }) => {
    const analysis = await getDemo(ctx, params.job_id, query.token);
    if (!hasEnded(analysis))
      return { status: 202, body: presentKeyAnalysisFull(analysis, null), headers: POLL_AGAIN };
    const document = await readDocument(ctx, analysis);
    return { status: 200, body: presentKeyAnalysisFull(analysis, document) };
  }),
];
