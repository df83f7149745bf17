/** Converts the engine's result to the format of the corpus's annotations, which any evaluator of that format can score. */

import type { AnalysisResult } from '@earshot/engine';
import type { Span } from './metrics/spans.ts';
import type { Estimate } from './score-song.ts';

export function toEstimate(result: AnalysisResult): Estimate {
  const { rhythm, tonal, structure } = result;
  return {
    tempo_bpm: rhythm?.bpm ?? null,
    beats: rhythm?.beats.map((beat) => beat.timeSeconds) ?? [],
    downbeats: rhythm?.downbeats.map((downbeat) => downbeat.timeSeconds) ?? [],
    time_signature: rhythm?.timeSignature ? `${rhythm.timeSignature.beatsPerBar}/4` : null,
    key: tonal?.key ? `${tonal.key}:${tonal.scale === 'minor' ? 'min' : 'maj'}` : null,
    chords: tonal?.chords.map((chord) => toSpan(chord, chord.label)) ?? [],
    // Groups, because the letters of the annotations mark which sections repeat.
    sections: structure?.sections.map((section) => toSpan(section, section.group)) ?? [],
    roles: structure?.sections.map((section) => toSpan(section, section.label)) ?? [],
  };
}

function toSpan(time: { startSeconds: number; endSeconds: number }, label: string): Span {
  return { start: time.startSeconds, end: time.endSeconds, label };
}
