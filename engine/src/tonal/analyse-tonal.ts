/**
 * Which keys and chords does the music have?
 *
 * 1. chroma in the estimated tuning  2. is there pitched sound at all?  3. the key of the piece and its changes  4. chord activation, by templates and
 *    the network, if there is one  5. chords on the beat grid, spelled in the key at that time. Each step is a separate file, which names its source.
 */

import type { AnalysisHints, Beat, Tonal, UnavailableReason } from '../result.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { SILENCE_RMS } from '../silence-level.ts';
import type { Style } from '../tags/style.ts';
import { combineActivations } from './chord-activation.ts';
import { decodeChords } from './chord-decoder.ts';
import { createChordGrid } from './chord-grid.ts';
import { listChords } from './chord-list.ts';
import { averageChroma, computeChroma } from './chroma.ts';
import type { Harmony } from './hear-harmony.ts';
import { estimateKey, readKeyHint } from './key.ts';
import { findKeySpans } from './key-changes.ts';
import { createKeyBlocks } from './key-evidence.ts';
import { pitchNameOf, scaleOf, tonicOf } from './key-name.ts';
import { classifyPitch, findSoundEdges, markSilentFrames } from './pitchedness.ts';
import { matchChordTemplates } from './template-chords.ts';
import { withoutPitch } from './without-pitch.ts';

/** A shorter sound has hardly one chord, from which no key follows; set by hand. */
const DURATION_SECONDS_MIN = 1;

export type TonalInput = {
  /** Half-semitone spectrum: 10 frames a second, 144 bands. */
  pitch: FrameMatrix;
  /** RMS of the whole recording; full scale is 1. */
  rms: number;
  durationSeconds: number;
  /** Empty without a pulse: chords may then change at any frame. */
  beats: readonly Beat[];
  hints?: AnalysisHints;
  harmony: Harmony;
  /** Styles differ in whether they call a tonic with both thirds major or minor. Null for no style in particular. */
  style: Style | null;
};

export type TonalAnalysis = {
  tonal: Tonal;
  /** Why there is no key and no chord; null when there are. */
  reason: UnavailableReason | null;
};

export function analyseTonal(input: TonalInput): TonalAnalysis {
  const { pitch, rms, durationSeconds, beats, style } = input;
  const allowedKeys = readKeyHint(input.hints?.key);
  if (!(rms > SILENCE_RMS)) return abstain('silence');
  if (durationSeconds < DURATION_SECONDS_MIN) return abstain('too_short');

  const { tuning, learned } = input.harmony;
  const chroma = computeChroma(pitch, rms, tuning?.cents ?? 0);
  const silent = markSilentFrames(pitch);
  const pitchedness = classifyPitch(tuning, chroma.middle, silent, learned?.activation ?? null, style);
  if (pitchedness === 'none') return abstain('no_pitched_content');

  const classical = matchChordTemplates(chroma);
  const blocks = createKeyBlocks(chroma.middle, {
    learned: learned?.keys ?? null,
    style,
    isMasked: pitchedness === 'masked',
    silent,
  });
  const estimate = estimateKey(blocks, allowedKeys);
  const barLinesSeconds = beats
    .filter(({ beatInBar }) => beatInBar === 1)
    .map(({ timeSeconds }) => timeSeconds);
  const keyChanges = findKeySpans(blocks, estimate.key, {
    durationSeconds,
    barLinesSeconds,
    isHomeGiven: allowedKeys !== null,
  });
  const activation = learned ? combineActivations(learned.activation, classical) : classical;
  const soundEdgesSeconds = findSoundEdges(silent, pitch.frameRateHz);
  const cells = createChordGrid(beats, activation.frameRateHz, durationSeconds, soundEdgesSeconds);
  const spans = decodeChords(activation, cells, silent);
  return {
    tonal: {
      key: pitchNameOf(tonicOf(estimate.key)),
      scale: scaleOf(estimate.key),
      confidence: estimate.confidence,
      alternatives: estimate.alternatives,
      keyChanges,
      tuningHz: tuning?.referenceHz ?? null,
      tuningCents: tuning?.cents ?? null,
      ...listChords(spans, chroma.middle, keyChanges, beats, activation.source),
      chroma: scaleToLargest(averageChroma(chroma.middle, 0, chroma.middle.frameCount)),
    },
    reason: null,
  };
}

function abstain(reason: UnavailableReason): TonalAnalysis {
  return { tonal: withoutPitch(), reason };
}

function scaleToLargest(chroma: Float64Array): number[] {
  const largest = Math.max(...chroma);
  return Array.from(chroma, (value) => (largest > 0 ? value / largest : 0));
}
