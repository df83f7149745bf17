/** The flat summary that most clients read first: the main answers of the groups, under familiar names. */

import type { Descriptors } from './descriptors/descriptors.ts';
import type { AnalysisResult, Summary } from './result.ts';
import { notateCamelot, notateKey, notateOpenKey } from './tonal/key-notation.ts';

type SummarisedGroups = Pick<AnalysisResult, 'durationSeconds' | 'rhythm' | 'tonal' | 'loudness' | 'tags'>;

export function summarise({
  durationSeconds,
  rhythm,
  tonal,
  loudness,
  tags,
}: SummarisedGroups): Omit<Summary, keyof Descriptors> {
  const key = tonal?.key ?? null;
  const scale = tonal?.scale ?? null;
  const hasKey = key !== null && scale !== null;
  return {
    durationSeconds,
    bpm: rhythm?.bpm ?? null,
    bpmConfidence: rhythm?.confidence ?? null,
    timeSignature: rhythm?.timeSignature?.beatsPerBar ?? null,
    key,
    scale,
    keyNotation: hasKey ? notateKey(key, scale) : null,
    keyConfidence: tonal?.confidence ?? null,
    camelot: hasKey ? notateCamelot(key, scale) : null,
    openKey: hasKey ? notateOpenKey(key, scale) : null,
    loudnessLufs: loudness?.integratedLufs ?? null,
    truePeakDbtp: loudness?.truePeakDbtp ?? null,
    moodTags: tags?.moods.map(({ label }) => label) ?? [],
    genreSuggestions: tags?.genres.map(({ label }) => label) ?? [],
  };
}
