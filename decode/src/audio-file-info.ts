/** What the file declares about itself. For what was measured, see `DecodeSummary`. */
export type AudioFileInfo = {
  container: string;
  codec: string;
  sampleRateHz: number;
  channels: number;
  /** Of a stored sample, 4 for ADPCM; null for codecs that store no samples, such as MP3. */
  bitDepth: number | null;
  /** Averaged over the declared duration; without one, as declared by the first packet. Null if neither is known. */
  bitRateBps: number | null;
  declaredDurationSeconds: number | null;
  byteSize: number;
  tags: AudioTags;
  hasCoverArt: boolean;
  /** The library that decodes the audio, recorded as provenance. */
  decoder: string;
};

/** A file without tags. */
export const NO_TAGS = {
  title: null as string | null,
  artist: null as string | null,
  album: null as string | null,
  albumArtist: null as string | null,
  composer: null as string | null,
  genre: null as string | null,
  year: null as number | null,
  trackNumber: null as number | null,
  discNumber: null as number | null,
  isrc: null as string | null,
  label: null as string | null,
  copyright: null as string | null,
  comment: null as string | null,
  language: null as string | null,
  bpm: null as number | null,
  key: null as string | null,
  replayGainTrackDb: null as number | null,
  replayGainTrackPeak: null as number | null,
  encoder: null as string | null,
};
export type AudioTags = typeof NO_TAGS;

/** Counted while the audio was decoded. */
export type DecodeSummary = {
  /** Of each channel. */
  decodedSamples: number;
  durationSeconds: number;
  /** Samples over all channels that were not finite or beyond ±8, and were replaced by 0. */
  nonFiniteSamples: number;
  /** Null if every packet decoded and none is missing. */
  damage: Damage | null;
};

export type Damage = {
  /** Packets that could not be decoded. */
  damagedPackets: number;
  /** The file ends before its declared audio does. */
  truncated: boolean;
};
