import { type AnalysisOptions, FEATURE_GROUPS } from '@earshot/contract';
import type { NewAnalysis } from './analyses.ts';

/** What may be asked for beside the audio: the same words on both surfaces and in forms. */
export function readOptions(asked: AnalysisOptions): Omit<NewAnalysis, 'source'> {
  const hints = asked.hints ?? {};
  return {
    webhookUrl: asked.webhook_url ?? null,
    features: asked.features ? FEATURE_GROUPS.filter((group) => asked.features?.includes(group)) : null,
    hints: {
      bpm: hints.bpm ?? undefined,
      bpmMin: hints.bpm_min ?? undefined,
      bpmMax: hints.bpm_max ?? undefined,
      key: hints.key ?? undefined,
      timeSignature: hints.time_signature ?? undefined,
    },
    metadata: asked.metadata ?? {},
    enrich: asked.enrich ?? [],
    retainSource: asked.retain_source ?? null,
  };
}
