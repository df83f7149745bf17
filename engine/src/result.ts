/**
 * The result of one analysis: the `result` groups of the public interface in camelCase (docs/result-format.md specifies them); the service
 * changes only the case of the names.
 *
 * Conventions: times are seconds from the start of the decoded audio, ascending. `confidence` is 0..1 and calibrated.
 * Absence is null, with its reason in `unavailable` under the dotted wire name ("tonal.key": "no_pitched_content").
 */

import type { SegmentSounds } from './segments/segment-sounds.ts';
import type { Visuals } from './visuals.ts';

export const FEATURE_GROUPS = [
  'rhythm',
  'tonal',
  'structure',
  'loudness',
  'quality',
  'timbre',
  'content',
  'waveform',
  'fingerprint',
  'tags',
] as const;
export type FeatureGroup = (typeof FEATURE_GROUPS)[number];

/** What the caller already knows. A hint narrows the search; it is never returned as an estimate that the sound does not support. */
export type AnalysisHints = {
  bpm?: number;
  bpmMin?: number;
  bpmMax?: number;
  /** Key as "A", "Am", "F# minor", "Bb:min". */
  key?: string;
  /** Beats in a bar. */
  timeSignature?: number;
};

export type AnalysisOptions = {
  features?: readonly FeatureGroup[];
  hints?: AnalysisHints;
};

export type UnavailableReason =
  | 'silence'
  | 'too_short'
  | 'no_pulse'
  /** The detected tempo is outside bpmMin to bpmMax. */
  | 'outside_hint'
  | 'no_pitched_content'
  | 'speech'
  | 'noise'
  | 'not_requested'
  | 'no_model'
  | 'nothing_stands_out'
  | 'mono';

export type AnalysisResult = {
  durationSeconds: number;
  summary: Summary;
  rhythm: Rhythm | null;
  tonal: Tonal | null;
  structure: Structure | null;
  loudness: Loudness | null;
  quality: Quality | null;
  timbre: Timbre | null;
  content: Content | null;
  waveform: Waveform | null;
  fingerprint: Fingerprint | null;
  tags: Tags | null;
  models: ModelProvenance[];
  unavailable: Record<string, UnavailableReason>;
  supplement: Supplement;
};

/** Not part of the public result: additional data for reports, exports and the coloured waveform. */
export type Supplement = {
  visuals: Visuals;
  /** Null if the rhythm or tonal group is. */
  segmentSounds: SegmentSounds | null;
};

export type TimeSpan = { startSeconds: number; endSeconds: number };

export type Scale = 'major' | 'minor';
export type PitchName = 'C' | 'C#' | 'D' | 'Eb' | 'E' | 'F' | 'F#' | 'G' | 'Ab' | 'A' | 'Bb' | 'B';

export type Summary = {
  durationSeconds: number;
  bpm: number | null;
  bpmConfidence: number | null;
  /** Beats in a bar. */
  timeSignature: number | null;
  key: PitchName | null;
  scale: Scale | null;
  keyNotation: string | null;
  keyConfidence: number | null;
  camelot: string | null;
  openKey: string | null;
  loudnessLufs: number | null;
  truePeakDbtp: number | null;
  energy: number | null;
  danceability: number | null;
  valence: number | null;
  acousticness: number | null;
  instrumentalness: number | null;
  speechiness: number | null;
  moodTags: string[];
  genreSuggestions: string[];
};

export type Beat = {
  timeSeconds: number;
  confidence: number;
  /** 1 is the downbeat. */
  beatInBar: number;
  /** 0-based. */
  bar: number;
};
export type WeightedTempo = { bpm: number; weight: number };
export type TempoPoint = { timeSeconds: number; bpm: number };
export type MeterSpan = TimeSpan & { beatsPerBar: number; confidence: number };

export type Rhythm = {
  /** From the beats, and so rarely a whole number. */
  bpm: number | null;
  confidence: number | null;
  alternatives: WeightedTempo[];
  /** 0..1; 1 is as steady as a metronome. */
  stability: number | null;
  tempoCurve: TempoPoint[];
  beats: Beat[];
  downbeats: { timeSeconds: number; confidence: number }[];
  timeSignature: { beatsPerBar: number; confidence: number; changes: MeterSpan[] } | null;
  onsets: { timeSeconds: number; strength: number }[];
  onsetRateHz: number;
  /** `ratio` is the share of the beat that the first of its two eighths takes: 0.5 straight, 0.667 triplet swing. */
  swing: { ratio: number; confidence: number } | null;
};

export type KeyCandidate = { key: PitchName; scale: Scale; weight: number };
export type KeySpan = TimeSpan & { key: PitchName; scale: Scale; confidence: number };
export type Chord = TimeSpan & {
  /** Harte syntax: "A:min", "N". */
  label: string;
  /** Relative to the key at that time: "vi", "V7"; null for no chord or no key. */
  roman: string | null;
  /** 0-based bar and 1-based beat within it at which the chord starts; null without beats. */
  bar: number | null;
  beat: number | null;
  confidence: number;
};

export type Tonal = {
  key: PitchName | null;
  scale: Scale | null;
  confidence: number | null;
  alternatives: KeyCandidate[];
  keyChanges: KeySpan[];
  tuningHz: number | null;
  tuningCents: number | null;
  /** Only major, minor and no chord. */
  chords: Chord[];
  /** The same spans, in a vocabulary that adds sevenths, suspensions, diminished and augmented chords. */
  chordsSevenths: Chord[];
  /** Mean chroma from C up, scaled so that the largest value is 1. */
  chroma: number[];
};

export type SectionLabel =
  | 'intro'
  | 'verse'
  | 'pre-chorus'
  | 'chorus'
  | 'bridge'
  | 'instrumental'
  | 'break'
  | 'outro';
export type Section = TimeSpan & {
  label: SectionLabel;
  labelConfidence: number;
  /** Sections with the same letter (A, B, …) repeat each other. */
  group: string;
  confidence: number;
  startBar: number | null;
  bpm: number | null;
  key: string | null;
  loudnessLufs: number | null;
  energy: number | null;
};
export type Structure = {
  sections: Section[];
  segments: { fadeInEndSeconds: number | null; fadeOutStartSeconds: number | null };
};

export type Curve = { hopSeconds: number; startSeconds: number; values: (number | null)[] };
export type PlatformGain = {
  platform: 'spotify' | 'apple_music' | 'youtube' | 'tidal' | 'amazon_music' | 'podcast';
  targetLufs: number;
  /** What the platform will apply; null without a loudness or a true peak. */
  gainDb: number | null;
  /** True peak after that gain. */
  truePeakAfterDbtp: number | null;
  /** Whether the track stays below the target: because of its true peak, or on a platform that never raises the level. */
  limited: boolean;
};
export type Loudness = {
  integratedLufs: number | null;
  rangeLu: number | null;
  momentaryMaxLufs: number | null;
  shortTermMaxLufs: number | null;
  truePeakDbtp: number | null;
  samplePeakDbfs: number | null;
  plrLu: number | null;
  replayGain: { trackGainDb: number | null; trackPeak: number };
  momentary: Curve;
  shortTerm: Curve;
  platforms: PlatformGain[];
};

export type QualityEventKind = 'clipping' | 'dropout' | 'silence' | 'click';
export type QualityEvent = TimeSpan & {
  kind: QualityEventKind;
  /** 0-based; null for an event in all channels. */
  channel: number | null;
  /**
   * 0..1, by kind. Clipping: the share of the event that is clipped. Dropout: the lower of the peaks on either side of the gap.
   * Silence: its length in tens of seconds. Click: the second difference of the samples, which is twice the height of a single wrong one.
   * Amplitudes are relative to full scale, and larger values are clamped to 1.
   */
  severity: number;
};
export type Quality = {
  events: QualityEvent[];
  /** Counts all events; `events` may list fewer. */
  eventCounts: Record<QualityEventKind, number>;
  dcOffset: number[];
  noiseFloorDbfs: number | null;
  hum: { frequencyHz: 50 | 60; levelDbfs: number; confidence: number } | null;
  bandwidthHz: number | null;
  lossyTranscode: { verdict: 'likely' | 'unlikely' | 'unknown'; cutoffHz: number | null; confidence: number };
  stereo: {
    correlation: number;
    width: number;
    correlationCurve: Curve;
    widthCurve: Curve;
    monoLossDb: number;
    imbalanceDb: number;
    phaseInverted: boolean;
  } | null;
  /** Samples that were not finite, or more than 64 times full scale, and were replaced by zero. */
  nonFiniteSamples: number;
};

export type Timbre = {
  mfccMean: number[];
  mfccCovariance: number[][];
  centroidHz: number | null;
  rolloffHz: number | null;
  flatness: number | null;
  flux: number | null;
  contrastDb: number[];
  tonalBalance: {
    band: string;
    lowHz: number;
    highHz: number;
    levelDb: number;
    referenceDb: number;
    deviationDb: number;
  }[];
};

export type ContentKind = 'music' | 'speech' | 'silence' | 'noise';
export type Content = {
  regions: (TimeSpan & { kind: ContentKind; confidence: number })[];
  /** Share of the recording with singing, rapping or speech. */
  voicePresence: number | null;
  voicePresenceConfidence: number | null;
  voiceSpans: VoiceSpan[];
  /** Probability of a voice in each tenth of a second; null if no voice network was run. */
  voiceCurve: Curve | null;
};
export type VoiceSpan = TimeSpan & { kind: 'sung' | 'rapped' | 'spoken'; confidence: number };

/** audiowaveform's JSON form, version 2: interleaved min,max per pixel and channel. */
export type WaveformLevel = {
  version: 2;
  channels: number;
  sampleRate: number;
  samplesPerPixel: number;
  bits: 8;
  length: number;
  data: number[];
};
export type Waveform = { levels: WaveformLevel[] };

export type Fingerprint = {
  /** Chromaprint algorithm 2 (fpcalc's default), base64url as fpcalc prints it. */
  chromaprint: string | null;
  chromaprintDurationSeconds: number;
  /** Unit-length vector for similarity by dot product. */
  embedding: number[] | null;
  /** Version of the vector's layout; vectors of different versions cannot be compared. */
  embeddingVersion: number;
};

/** A term of the published taxonomy (docs/result-format.md), and the sections to which it applies. */
export type NamedTag = {
  label: string;
  confidence: number;
  spans: (TimeSpan & { confidence: number })[];
};
/** Best first. */
export type Tags = { genres: NamedTag[]; moods: NamedTag[]; instruments: NamedTag[]; eras: NamedTag[] };

export type ModelProvenance = { name: string; version: string; sha256: string };
