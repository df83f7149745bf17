import type { Dependencies } from '../context.ts';
import { ValidationFailed } from '../errors.ts';
import type { Transaction } from '../platform/postgres.ts';
import { periodOf } from '../usage/period.ts';
import { createAcoustidProvider } from './acoustid-provider.ts';
import type { Enrichment, EnrichmentProvider } from './provider.ts';
import { insertUse } from './store.ts';

/** Refuses at submission a provider that the worker could not use later. */
export function assertProvidersConfigured(
  ctx: Dependencies,
  names: readonly string[],
  loc: readonly string[],
): void {
  const issues = names.flatMap((name, index) => {
    if (findProvider(ctx, name)) return [];
    const msg = `The enrichment provider "${name}" is not configured on this server. Leave it out of "enrich", or ask the operator to set ACOUSTID_API_KEY`;
    return [{ type: 'provider_not_configured', loc: [...loc, 'enrich', String(index)], msg, input: name }];
  });
  if (issues.length > 0) throw new ValidationFailed(issues);
}

/** One result per requested provider. */
export async function enrichAnalysis(
  ctx: Dependencies,
  input: {
    providers: readonly string[];
    fingerprint: string | null;
    durationSeconds: number;
    signal: AbortSignal;
  },
): Promise<Enrichment[]> {
  const { fingerprint } = input;
  return Promise.all(
    input.providers.map((name): Enrichment | Promise<Enrichment> => {
      const provider = findProvider(ctx, name);
      if (!provider) return { provider: name, status: 'unavailable', reason: 'not_configured' };
      if (fingerprint === null) return { provider: name, status: 'unavailable', reason: 'no_fingerprint' };
      return provider.enrich({ ...input, fingerprint });
    }),
  );
}

/** Counts each request to a provider, once per analysis, in the transaction that completes the analysis. */
export async function recordEnrichments(
  tx: Transaction,
  input: { workspaceId: string; analysisId: string; enrichments: readonly Enrichment[]; now: Date },
): Promise<void> {
  for (const enrichment of input.enrichments) {
    if (enrichment.status === 'unavailable' && enrichment.reason !== 'provider_failed') continue;
    const { provider, status: outcome } = enrichment;
    await insertUse(tx, { ...input, provider, outcome, period: periodOf(input.now).name });
  }
}

function findProvider(ctx: Dependencies, name: string): EnrichmentProvider | null {
  const { acoustidApiKey, acoustidBaseUrl, musicbrainzBaseUrl } = ctx.config.enrichment;
  if (name !== 'acoustid' || acoustidApiKey === null) return null;
  return createAcoustidProvider(
    { apiKey: acoustidApiKey, acoustidBaseUrl, musicbrainzBaseUrl },
    ctx.guardedFetch,
    ctx.log,
  );
}
