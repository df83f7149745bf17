import { type AnalysisOptions, FEATURE_GROUPS } from '@earshot/contract';
import type { NewAnalysis } from './analyses.ts';

/** The options of a submission, which have the same names on both surfaces and in forms. */
export function readOptions(options: AnalysisOptions): Omit<NewAnalysis, 'source'> {
  const hints = options.hints ?? {};
  return {
    webhookUrl: options.webhook_url ?? null,
    features: options.features ? FEATURE_GROUPS.filter((group) => options.features?.includes(group)) : null,
    hints: {
      bpm: hints.bpm ?? undefined,
      bpmMin: hints.bpm_min ?? undefined,
      bpmMax: hints.bpm_max ?? undefined,
      key: hints.key ?? undefined,
      timeSignature: hints.time_signature ?? undefined,
    },
    metadata: options.metadata ?? {},
    enrich: options.enrich ?? [],
    retainSource: options.retain_source ?? null,
  };
}
