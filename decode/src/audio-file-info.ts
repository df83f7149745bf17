/** What the file declares about itself. For what was measured, see `DecodeSummary`. */
export type AudioFileInfo = {
  container: string;
  codec: string;
  sampleRateHz: number;
  channels: number;
  /** Null for lossy codecs, which store no samples. */
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

export type AudioTags = {
  title: string | null;
  artist: string | null;
  album: string | null;
  albumArtist: string | null;
  composer: string | null;
  genre: string | null;
  year: number | null;
  trackNumber: number | null;
  discNumber: number | null;
  isrc: string | null;
  label: string | null;
  copyright: string | null;
  comment: string | null;
  language: string | null;
  bpm: number | null;
  key: string | null;
  replayGainTrackDb: number | null;
  replayGainTrackPeak: number | null;
  encoder: string | null;
};

export const NO_TAGS: AudioTags = {
  title: null,
  artist: null,
  album: null,
  albumArtist: null,
  composer: null,
  genre: null,
  year: null,
  trackNumber: null,
  discNumber: null,
  isrc: null,
  label: null,
  copyright: null,
  comment: null,
  language: null,
  bpm: null,
  key: null,
  replayGainTrackDb: null,
  replayGainTrackPeak: null,
  encoder: null,
};

/** Counted while the audio was decoded. */
export type DecodeSummary = {
  decodedSamples: number;
  durationSeconds: number;
  /** Samples over all channels that were not finite or beyond ±8, and were replaced by 0. */
  nonFiniteSamples: number;
  /** Null when every packet of the file decoded. */
  damage: Damage | null;
};

export type Damage = {
  /** Packets that could not be decoded. */
  damagedPackets: number;
  /** The file ends before its declared audio does. */
  truncated: boolean;
};
