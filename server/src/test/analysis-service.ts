import { SCOPES, type Scope } from '@earshot/contract';
import { downloadForAnalysis } from '../analyses/attempt/download-job.ts';
import { runAnalysis } from '../analyses/attempt/run.ts';
import { failExhaustedAnalysis } from '../analyses/attempt/settle.ts';
import { keyAnalysisRoutes } from '../analyses/key-routes.ts';
import { workspaceAnalysisRoutes } from '../analyses/workspace-routes.ts';
import { issueApiKey } from '../api-keys/api-keys.ts';
import { buildApp } from '../app/app.ts';
import { collectionRoutes } from '../collections/routes.ts';
import type { Context, MemberContext } from '../context.ts';
import { correctionRoutes } from '../corrections/routes.ts';
import { demoRoutes } from '../demo/routes.ts';
import type { JobDefinition, JobDefinitions } from '../jobs/job.ts';
import { startWorker, type Worker } from '../jobs/worker.ts';
import { libraryRoutes } from '../library/routes.ts';
import { shareRoutes } from '../shares/routes.ts';
import { storageObjectRoutes } from '../storage-objects/routes.ts';
import { usageRoutes } from '../usage/routes.ts';
import { deliverWebhook, giveUpAttempt } from '../webhooks/deliver.ts';
import { webhookRoutes } from '../webhooks/routes.ts';

const routes = [
  ...keyAnalysisRoutes,
  ...workspaceAnalysisRoutes,
  ...storageObjectRoutes,
  ...webhookRoutes,
  ...usageRoutes,
  ...demoRoutes,
  ...correctionRoutes,
  ...libraryRoutes,
  ...collectionRoutes,
  ...shareRoutes,
];

export type AnalysisService = {
  url: string;
  stop(): Promise<void>;
};

/** The analysis routes of the service on a real port; every response is checked against the contract. */
export async function startAnalysisService(ctx: Context): Promise<AnalysisService> {
  const operations = routes.map(({ operation }) => operation);
  const app = buildApp(ctx, routes, { checkAnswers: true, operations });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  // URLs in responses must lead to this server.
  ctx.config.baseUrl = url;
  return {
    url,
    async stop() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

/** For kinds of jobs that a test does without. */
export const neverRun = { run: async () => {}, onExhausted: async () => {}, concurrency: () => 0 };

/** A worker for analyses, downloads and webhooks only. */
export function startAnalysisWorker(
  ctx: Context,
  analyses: Partial<JobDefinition<'analysis.run'>> = {},
): Promise<Worker> {
  const definitions: JobDefinitions = {
    'analysis.run': {
      run: runAnalysis,
      onExhausted: failExhaustedAnalysis,
      concurrency: () => 2,
      ...analyses,
    },
    'analysis.download': {
      run: downloadForAnalysis,
      onExhausted: failExhaustedAnalysis,
      concurrency: () => 4,
    },
    'webhook.deliver': { run: deliverWebhook, onExhausted: giveUpAttempt, concurrency: () => 10 },
    'mail.send': neverRun,
    'usage.report': neverRun,
    sweep: neverRun,
  };
  return startWorker(ctx, definitions);
}

/** Headers with a new API key that has these scopes. */
export async function keyHeaders(
  member: MemberContext,
  scopes: readonly Scope[] = SCOPES,
): Promise<{ 'x-api-key': string }> {
  const { workspaceId, userId } = member.actor;
  const key = await member.db.transaction((tx) =>
    issueApiKey(tx, member, { workspaceId, userId, name: 'test', scopes }),
  );
  return { 'x-api-key': key.plaintextKey };
}
