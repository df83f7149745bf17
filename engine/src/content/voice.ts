/**
 * When does somebody sing, rap or speak?
 *
 * A small network gives every frame a probability; smoothed tenths of a second become spans, which bridge the pauses for breath within a line.
 *
 * The frames alone do not decide: where the whole recording sounds instrumental (tags/sung-odds.ts), a frame needs to be surer.
 *
 * The network is built like that of the beats (learned/beat-network.ts). It was trained on recorded words, sung by a vocoder or left as spoken,
 * over instrumental music (training/README.md).
 */

import { runFrameNetwork } from '../learned/beat-network.ts';
import { readModelFile } from '../learned/model-file.ts';
import type { Content, Curve, ModelProvenance, Tags, UnavailableReason, VoiceSpan } from '../result.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { createKernels } from '../signal/kernels.ts';

export const TENTH_SECONDS = 0.1;
/**
 * Tenths to either side that are averaged, and the intercept and slope that calibrate the mean log odds. Chosen on the sung songs of `voice`
 * (`npm run evaluate`, docs/accuracy.md).
 */
const SMOOTHING_TENTHS = 3;
const LINE_LOGIT = -1.05;
const LINE_SLOPE = 0.96;
/**
 * Weight of the log odds against a singer in the recording. Log odds for one count nothing, because sung songs have solos; the bound lets voices
 * as plain as speech through. Chosen on `voice` and on renderings in which nobody sings.
 */
const SUNG_WEIGHT = 1.5;
const SUNG_LOGIT_MIN = -2.5;
/** Longer pauses end a span: chosen on `voice`. */
const PAUSE_SECONDS_MAX = 0.7;
/** Shorter spans are no voice: chosen by ear. */
const SPAN_SECONDS_MIN = 0.4;
const PROBABILITY_MIN = 0.5;
/** Keeps the log odds of a probability finite. */
const PROBABILITY_MARGIN = 1e-6;

export type HeardVoice = {
  /** Probability of a voice in every tenth of a second. */
  curve: Curve;
  models: ModelProvenance[];
};

/** `sungLogOdds` are the log odds that anybody sings in the recording; null when they are unknown. */
export function hearVoice(
  mel: FrameMatrix,
  rms: number,
  bytes: Uint8Array,
  regions: Content['regions'],
  sungLogOdds: number | null,
): HeardVoice {
  const model = readModelFile(bytes);
  const [frames] = runFrameNetwork(createKernels(), model, mel, rms, ['voice']);
  const perTenth = Math.round(mel.frameRateHz * TENTH_SECONDS);
  const tenthCount = Math.floor(mel.frameCount / perTenth);
  const logits = Float64Array.from({ length: tenthCount }, (_, tenth) => {
    let sum = 0;
    for (let k = 0; k < perTenth; k++) sum += takeLogit(frames![tenth * perTenth + k]!);
    return sum / perTenth;
  });
  return {
    curve: {
      hopSeconds: TENTH_SECONDS,
      startSeconds: 0,
      values: agreeWithRegions(rateTenths(logits, sungLogOdds), regions),
    },
    models: [model.provenance],
  };
}

/** The network's log odds in every tenth, as probabilities of a voice. */
export function rateTenths(logits: Float64Array, sungLogOdds: number | null): number[] {
  const recordingLogit = SUNG_WEIGHT * Math.max(SUNG_LOGIT_MIN, Math.min(0, sungLogOdds ?? 0));
  return Array.from(logits, (_, tenth) => {
    const first = Math.max(0, tenth - SMOOTHING_TENTHS);
    const end = Math.min(logits.length, tenth + SMOOTHING_TENTHS + 1);
    let sum = 0;
    for (let k = first; k < end; k++) sum += logits[k]!;
    const lineLogit = LINE_SLOPE * (sum / (end - first)) + LINE_LOGIT + recordingLogit;
    return Math.round(1000 / (1 + Math.exp(-lineLogit))) / 1000;
  });
}

/** There is no voice in silence or noise; in speech there is one with at least the confidence that it is speech. */
export function agreeWithRegions(values: readonly number[], regions: Content['regions']): number[] {
  const agreed = [...values];
  for (const { kind, startSeconds, endSeconds, confidence } of regions) {
    const end = Math.min(agreed.length, Math.round(endSeconds / TENTH_SECONDS));
    for (let tenth = Math.round(startSeconds / TENTH_SECONDS); tenth < end; tenth++) {
      if (kind === 'silence' || kind === 'noise') agreed[tenth] = 0;
      if (kind === 'speech') agreed[tenth] = Math.max(agreed[tenth]!, Math.round(1000 * confidence) / 1000);
    }
  }
  return agreed;
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
  const sureness =
    values.reduce<number>((sum, value) => sum + Math.max(value!, 1 - value!), 0) / values.length;
  return {
    voice: {
      voicePresence: toShare(voicedSeconds / durationSeconds),
      voicePresenceConfidence: toShare(sureness),
      voiceSpans: spans,
      voiceCurve: heard.curve,
    },
    instrumentalness: toShare(1 - voicedSeconds / soundingSeconds),
    reason: null,
  };
}

function toShare(value: number): number {
  return Math.round(1000 * Math.max(0, Math.min(1, value))) / 1000;
}

/** `isRapped` tells whether a voice at that time is rapped rather than sung. */
export function listVoiceSpans(
  { values }: Curve,
  regions: Content['regions'],
  isRapped: (seconds: number) => boolean,
): VoiceSpan[] {
  const spans = joinTenths(values.map((value) => value! >= PROBABILITY_MIN));
  return spans.flatMap(([first, end]): VoiceSpan[] => {
    if ((end - first) * TENTH_SECONDS < SPAN_SECONDS_MIN) return [];
    const middle = ((first + end) / 2) * TENTH_SECONDS;
    const inSpeech = regions.some(
      ({ kind, startSeconds, endSeconds }) =>
        kind === 'speech' && middle >= startSeconds && middle < endSeconds,
    );
    let sum = 0;
    for (let tenth = first; tenth < end; tenth++) sum += values[tenth]!;
    return [
      {
        startSeconds: toSeconds(first),
        endSeconds: toSeconds(end),
        kind: inSpeech ? 'spoken' : isRapped(middle) ? 'rapped' : 'sung',
        confidence: Math.round((1000 * sum) / (end - first)) / 1000,
      },
    ];
  });
}

/** More likely hip-hop than not. */
const RAP_CONFIDENCE_MIN = 0.5;

/** Whether a voice that is heard at a moment raps: it does where the music is hip-hop. */
export function findRap(tags: Tags | null): (seconds: number) => boolean {
  const hipHop = tags?.genres.find(
    ({ label, confidence }) => label === 'hip-hop' && confidence > RAP_CONFIDENCE_MIN,
  );
  return (seconds) =>
    hipHop?.spans.some((span) => seconds >= span.startSeconds && seconds < span.endSeconds) ?? false;
}

/** [first, end) of the runs of voiced tenths, joined across a breath. */
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

function takeLogit(probability: number): number {
  const inside = Math.min(1 - PROBABILITY_MARGIN, Math.max(PROBABILITY_MARGIN, probability));
  return Math.log(inside / (1 - inside));
}

/** Not times 0.1, which would leave 0.30000000000000004 for 3. */
function toSeconds(tenths: number): number {
  return Math.round(tenths) / 10;
}
