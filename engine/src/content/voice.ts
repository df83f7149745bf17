/**
 * When is there a voice, and does it sing, rap or speak?
 *
 * 1. a small network gives every frame a probability  2. its log odds are averaged and calibrated per tenth of a second; in a recording that sounds
 * instrumental (tags/sung-odds.ts) they need to be higher  3. tenths with a voice are joined into spans, across the breaths within a line.
 *
 * The network has the architecture of the one for beats (learned/beat-network.ts). It was trained on recorded words, sung by a vocoder or left as
 * spoken, over instrumental music (training/README.md).
 */

import { runFrameNetwork } from '../learned/beat-network.ts';
import { readModelFile } from '../learned/model-file.ts';
import type { Content, Curve, ModelProvenance, Tags, UnavailableReason, VoiceSpan } from '../result.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';

const TENTH_SECONDS = 0.1;
/**
 * Tenths on either side that are averaged, and the intercept and slope that calibrate the mean log odds. Tuned on the sung songs of the corpus `voice`
 * (`npm run evaluate`, docs/accuracy.md).
 */
const SMOOTHING_TENTHS = 3;
const CALIBRATION_INTERCEPT = -1.05;
const CALIBRATION_SLOPE = 0.96;
/**
 * Weight of the log odds that anybody sings in the recording, if they are negative. Positive ones do not count, because songs have solos; the lower
 * bound lets voices as plain as speech through. Tuned on `voice` and on renderings without a singer.
 */
const SUNG_WEIGHT = 1.5;
const SUNG_LOG_ODDS_MIN = -2.5;
/** Longer pauses end a span. Tuned on `voice`. */
const PAUSE_SECONDS_MAX = 0.7;
/** Shorter spans are dropped: what they held was no voice, judged by ear. */
const SPAN_SECONDS_MIN = 0.4;
const PROBABILITY_MIN = 0.5;
/** Keeps the log odds of a probability finite. */
const PROBABILITY_MARGIN = 1e-6;
/** A voice raps where the music is more likely hip-hop than not. */
const RAP_CONFIDENCE_MIN = 0.5;

export type HeardVoice = {
  /** Probability of a voice in every tenth of a second. */
  curve: Curve;
  models: ModelProvenance[];
};

/** `rms` is the level of the recording; `sungLogOdds` are the log odds that anybody sings in it, null when unknown. */
export function hearVoice(
  mel: FrameMatrix,
  rms: number,
  bytes: Uint8Array,
  regions: Content['regions'],
  sungLogOdds: number | null,
): HeardVoice {
  const model = readModelFile(bytes);
  const [frames] = runFrameNetwork(createKernels(), model, mel, rms, ['voice']);
  const framesPerTenth = Math.round(mel.frameRateHz * TENTH_SECONDS);
  const tenthCount = Math.floor(mel.frameCount / framesPerTenth);
  const logits = Float64Array.from({ length: tenthCount }, (_, tenth) => {
    let sum = 0;
    for (let k = 0; k < framesPerTenth; k++) sum += toLogOdds(frames![tenth * framesPerTenth + k]!);
    return sum / framesPerTenth;
  });
  return {
    curve: {
      hopSeconds: TENTH_SECONDS,
      startSeconds: 0,
      values: reconcileWithRegions(calibrateTenths(logits, sungLogOdds), regions),
    },
    models: [model.provenance],
  };
}

/** The probability of a voice in every tenth, from the network's log odds. */
export function calibrateTenths(logits: Float64Array, sungLogOdds: number | null): number[] {
  const recordingLogit = SUNG_WEIGHT * Math.max(SUNG_LOG_ODDS_MIN, Math.min(0, sungLogOdds ?? 0));
  return Array.from(logits, (_, tenth) => {
    const first = Math.max(0, tenth - SMOOTHING_TENTHS);
    const end = Math.min(logits.length, tenth + SMOOTHING_TENTHS + 1);
    let sum = 0;
    for (let k = first; k < end; k++) sum += logits[k]!;
    const logit = CALIBRATION_SLOPE * (sum / (end - first)) + CALIBRATION_INTERCEPT + recordingLogit;
    return Math.round(1000 / (1 + Math.exp(-logit))) / 1000;
  });
}

/** Silence and noise have no voice, and speech has one with at least the confidence that it is speech. */
export function reconcileWithRegions(values: readonly number[], regions: Content['regions']): number[] {
  const reconciled = [...values];
  for (const { kind, startSeconds, endSeconds, confidence } of regions) {
    const end = Math.min(reconciled.length, Math.round(endSeconds / TENTH_SECONDS));
    for (let tenth = Math.round(startSeconds / TENTH_SECONDS); tenth < end; tenth++) {
      if (kind === 'silence' || kind === 'noise') reconciled[tenth] = 0;
      if (kind === 'speech') {
        reconciled[tenth] = Math.max(reconciled[tenth]!, Math.round(1000 * confidence) / 1000);
      }
    }
  }
  return reconciled;
}

export type DescribedVoice = {
  voice: Pick<Content, 'voicePresence' | 'voicePresenceConfidence' | 'voiceSpans' | 'voiceCurve'>;
  /** Share of the sounding time without a voice. */
  instrumentalness: number | null;
  reason: UnavailableReason | null;
};

/** `heard` is null when the network did not run, for the reason `unheardReason`. */
export function describeVoice(
  heard: HeardVoice | null,
  unheardReason: UnavailableReason,
  regions: Content['regions'],
  durationSeconds: number,
  isRapped: (seconds: number) => boolean,
): DescribedVoice {
  const sounding = regions.filter(({ kind }) => kind !== 'silence');
  const soundingSeconds = sounding.reduce((sum, region) => sum + region.endSeconds - region.startSeconds, 0);
  if (heard === null || soundingSeconds === 0) {
    const reason = heard === null ? unheardReason : regions.length === 0 ? 'too_short' : 'silence';
    const voice = { voicePresence: null, voicePresenceConfidence: null, voiceSpans: [], voiceCurve: null };
    return { voice, instrumentalness: null, reason };
  }
  const spans = listVoiceSpans(heard.curve, regions, isRapped);
  const voicedSeconds = spans.reduce((sum, span) => sum + span.endSeconds - span.startSeconds, 0);
  const { values } = heard.curve;
  /** Of the likelier answer in each tenth, voice or none. */
  const meanConfidence =
    values.reduce<number>((sum, value) => sum + Math.max(value!, 1 - value!), 0) / values.length;
  return {
    voice: {
      voicePresence: toRoundShare(voicedSeconds / durationSeconds),
      voicePresenceConfidence: toRoundShare(meanConfidence),
      voiceSpans: spans,
      voiceCurve: heard.curve,
    },
    instrumentalness: toRoundShare(1 - voicedSeconds / soundingSeconds),
    reason: null,
  };
}

/** Clamped, because spans bridge short silences and so can last longer than the sound. */
function toRoundShare(value: number): number {
  return Math.round(1000 * Math.max(0, Math.min(1, value))) / 1000;
}

/** `isRapped` tells whether a voice at a moment is rapped rather than sung. */
export function listVoiceSpans(
  { values }: Curve,
  regions: Content['regions'],
  isRapped: (seconds: number) => boolean,
): VoiceSpan[] {
  const spans = joinTenths(values.map((value) => value! >= PROBABILITY_MIN));
  return spans.flatMap(([first, end]): VoiceSpan[] => {
    if ((end - first) * TENTH_SECONDS < SPAN_SECONDS_MIN) return [];
    const middleSeconds = ((first + end) / 2) * TENTH_SECONDS;
    const inSpeech = regions.some(
      ({ kind, startSeconds, endSeconds }) =>
        kind === 'speech' && middleSeconds >= startSeconds && middleSeconds < endSeconds,
    );
    let sum = 0;
    for (let tenth = first; tenth < end; tenth++) sum += values[tenth]!;
    return [
      {
        startSeconds: toSeconds(first),
        endSeconds: toSeconds(end),
        kind: inSpeech ? 'spoken' : isRapped(middleSeconds) ? 'rapped' : 'sung',
        confidence: Math.round((1000 * sum) / (end - first)) / 1000,
      },
    ];
  });
}

/** A test for whether a voice at a moment raps: it does in the spans of hip-hop. */
export function createRapTest(tags: Tags | null): (seconds: number) => boolean {
  const hipHop = tags?.genres.find(
    ({ label, confidence }) => label === 'hip-hop' && confidence > RAP_CONFIDENCE_MIN,
  );
  return (seconds) =>
    hipHop?.spans.some((span) => seconds >= span.startSeconds && seconds < span.endSeconds) ?? false;
}

/** [first, end) of the runs of voiced tenths, joined across pauses for breath. */
function joinTenths(voiced: readonly boolean[]): [number, number][] {
  const pauseTenths = Math.round(PAUSE_SECONDS_MAX / TENTH_SECONDS);
  const runs: [number, number][] = [];
  voiced.forEach((isVoiced, tenth) => {
    if (!isVoiced) return;
    const last = runs.at(-1);
    if (last && tenth - last[1] <= pauseTenths) last[1] = tenth + 1;
    else runs.push([tenth, tenth + 1]);
  });
  return runs;
}

function toLogOdds(probability: number): number {
  const inside = Math.min(1 - PROBABILITY_MARGIN, Math.max(PROBABILITY_MARGIN, probability));
  return Math.log(inside / (1 - inside));
}

/** Divides, because 3 × 0.1 is 0.30000000000000004. */
function toSeconds(tenths: number): number {
  return Math.round(tenths) / 10;
}
