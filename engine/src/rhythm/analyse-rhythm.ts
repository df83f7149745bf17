/**
 * Where are the beats and bars, how fast is the music, and is there a pulse at all?
 *
 * 1. onsets  2. beat activation, from the network or from the onsets, unless it is a metronome  3. tempo levels, the one people tap, and
 *    its beats and bars  4. times, tempo, meter, swing  5. confidences, and whether there is a pulse at all. Each file names its source.
 */

import { readModelFile } from '../learned/model-file.ts';
import type { AnalysisHints, ModelProvenance, Rhythm, UnavailableReason, WeightedTempo } from '../result.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';
import { SILENCE_RMS } from '../silence-level.ts';
import type { Style } from '../tags/style.ts';
import type { ChordActivation } from '../tonal/chord-activation.ts';
import type { BeatActivation } from './beat-activation.ts';
import { type BeatTime, placeBeats } from './beat-times.ts';
import { type BeatPulse, trackBeats } from './beat-tracking.ts';
import { computeClassicalActivation } from './classical-activation.ts';
import { hasPulse, rateBeat, rateDownbeat, rateMeter, rateTempo, type TempoEvidence } from './confidence.ts';
import { computeLearnedActivation } from './learned-activation.ts';
import { describeMeter } from './meter.ts';
import { detectMetronome } from './metronome.ts';
import { computeOnsetEnvelope } from './onset-envelope.ts';
import { pickOnsets } from './onsets.ts';
import { findSound } from './sound-span.ts';
import { measureSwing } from './swing.ts';
import { measureTempo, type Tempo } from './tempo.ts';
import { withoutPulse } from './without-pulse.ts';

export type RhythmInput = {
  /** Linear magnitudes, 50 frames a second, 81 bands. */
  mel: FrameMatrix;
  /** Of the whole mono signal. */
  rms: number;
  durationSeconds: number;
  hints?: AnalysisHints;
  /** Weights of the beat network; null derives the beat activation from the onsets instead. */
  model: Uint8Array | null;
  /** The chord network's activation, which helps to place the bar lines; null places them by the beat activation alone. */
  chords: ChordActivation | null;
  /** Style of the music, which helps to choose the level people tap; null chooses it by the beats alone. */
  style: Style | null;
};

export type RhythmAnalysis = {
  rhythm: Rhythm;
  /** Why there is no tempo; null when there is one. */
  reason: UnavailableReason | null;
  /** Mean log likelihood ratio of the tracked beats, even if they are too weak to report a pulse. Null without a track. */
  beatScore: number | null;
  /** A metronome has a tempo, although it is not music (metronome.ts). */
  isMetronome: boolean;
  activation: BeatActivation;
  models: ModelProvenance[];
};

/** Two bars at 120 BPM: some grid fits any handful of beats. */
const DURATION_SECONDS_MIN = 4;
/** Alternatives of less weight would be rounded to 0 %, and are not listed. */
const ALTERNATIVE_WEIGHT_MIN = 0.005;

export function analyseRhythm(
  input: RhythmInput,
  onProgress: (fraction: number, stage?: string) => void = () => {},
): RhythmAnalysis {
  const { mel, rms, durationSeconds } = input;
  const isSilent = !(rms > SILENCE_RMS);
  const envelope = computeOnsetEnvelope(mel, rms);
  const metronome = isSilent ? null : detectMetronome(mel, input.hints);
  const model = input.model === null || isSilent || metronome ? null : readModelFile(input.model);
  onProgress(0.1, model ? 'beat network' : undefined);
  const activation =
    metronome?.activation ??
    (model === null
      ? computeClassicalActivation(mel, rms, envelope)
      : computeLearnedActivation(model, mel, rms));
  onProgress(0.7);
  const onsets = isSilent ? [] : pickOnsets(envelope.full, envelope.frameRateHz);
  const onsetRateHz = durationSeconds > 0 ? onsets.length / durationSeconds : 0;
  const shared = {
    isMetronome: metronome !== null,
    activation,
    models: model === null ? [] : [model.provenance],
  };
  const abstain = (reason: UnavailableReason, beatScore: number | null = null): RhythmAnalysis => ({
    rhythm: withoutPulse({ onsets, onsetRateHz }),
    reason,
    beatScore,
    ...shared,
  });
  if (isSilent) return abstain('silence');
  if (durationSeconds < DURATION_SECONDS_MIN) return abstain('too_short');

  const sound = findSound(mel, durationSeconds) ?? { startSeconds: 0, endSeconds: durationSeconds };
  const tracking =
    metronome?.tracking ?? trackBeats(createKernels(), activation, input.hints, input.chords, input.style);
  onProgress(0.95);
  if (tracking === null) return abstain('no_pulse');
  const beats = placeBeats(tracking.track.beats, activation, sound);
  const beatsSeconds = beats.map((beat) => beat.timeSeconds);
  const measured = measureTempo(beatsSeconds);
  if (measured === null) return abstain('no_pulse');
  const evidence = { ...collectEvidence(tracking), durationSeconds };
  const tempo = clampTempo(measured, input.hints);
  if (tempo === null) return abstain('outside_hint', evidence.scorePerBeat);
  if (!metronome && !hasPulse(evidence, onsetRateHz, activation.source))
    return abstain('no_pulse', evidence.scorePerBeat);
  return {
    rhythm: {
      ...describePulse(tracking, beats, tempo, evidence, activation.source, sound.endSeconds),
      onsets,
      onsetRateHz,
      swing: measureSwing(envelope.full, envelope.frameRateHz, beatsSeconds),
    },
    reason: null,
    beatScore: evidence.scorePerBeat,
    ...shared,
  };
}

/** Beats tracked within a hinted bound may still measure this far beyond it: 10 ms in two seconds, the accuracy of their times. */
const BOUND_RATIO_MAX = 1.005;

/** Moves a tempo measured just beyond a hinted bound to that bound; null when it is further away. */
function clampTempo(
  tempo: Tempo,
  { bpmMin = 0, bpmMax = Number.POSITIVE_INFINITY }: AnalysisHints = {},
): Tempo | null {
  const bpm = Math.min(Math.max(tempo.bpm, bpmMin), bpmMax);
  return Math.max(bpm / tempo.bpm, tempo.bpm / bpm) > BOUND_RATIO_MAX ? null : { ...tempo, bpm };
}

function collectEvidence({ choice, track }: BeatPulse): Omit<TempoEvidence, 'durationSeconds'> {
  return {
    levelWeight: choice.levelWeight,
    meterWeight: choice.meterWeight,
    scorePerBeat: track.score / Math.max(1, track.beats.length),
    beatCount: track.beats.length,
  };
}

function describePulse(
  { choice }: BeatPulse,
  beats: readonly BeatTime[],
  tempo: Tempo,
  evidence: TempoEvidence,
  source: BeatActivation['source'],
  endSeconds: number,
): Omit<Rhythm, 'onsets' | 'onsetRateHz' | 'swing'> {
  const confidence = rateTempo(evidence, source);
  const meterConfidence = rateMeter(evidence, source);
  let bar = -1;
  const described = beats.map((beat, index) => {
    // An upbeat belongs to bar 0, whose downbeat is missing.
    if (beat.placeInBar === 0 || index === 0) bar++;
    return {
      timeSeconds: beat.timeSeconds,
      confidence: rateBeat(beat, confidence, source),
      beatInBar: beat.placeInBar + 1,
      bar,
    };
  });
  return {
    bpm: tempo.bpm,
    confidence,
    alternatives: listAlternatives(choice.alternatives, tempo.bpm),
    stability: tempo.stability,
    tempoCurve: tempo.curve,
    beats: described,
    downbeats: beats.flatMap((beat) =>
      beat.placeInBar === 0
        ? [
            {
              timeSeconds: beat.timeSeconds,
              confidence: rateDownbeat(beat, meterConfidence, evidence.durationSeconds, source),
            },
          ]
        : [],
    ),
    timeSignature: describeMeter(beats, meterConfidence, endSeconds),
  };
}

/** The levels with their weights. The chosen one comes first and gets the measured tempo. */
function listAlternatives(alternatives: readonly WeightedTempo[], bpm: number): WeightedTempo[] {
  return alternatives
    .map((alternative, index) => (index === 0 ? { ...alternative, bpm } : alternative))
    .filter(({ weight }) => weight >= ALTERNATIVE_WEIGHT_MIN);
}
