/** What the file declares about itself. Nothing here is measured; that is in `DecodeSummary`. */
export type AudioFileInfo = {
  container: string;
  codec: string;
  sampleRateHz: number;
  channels: number;
  /** Of the stored samples; null for lossy codecs, which have none. */
  bitDepth: number | null;
  /** Of the audio data, averaged over the declared duration. */
  bitRateBps: number | null;
  declaredDurationSeconds: number | null;
  byteSize: number;
  tags: AudioTags;
  hasCoverArt: boolean;
  /** The library that decodes it, for provenance. */
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

/** What was decoded, counted while it streamed. */
export type DecodeSummary = {
  decodedSamples: number;
  durationSeconds: number;
  /** Samples that were not finite or beyond ±8 and were replaced by 0. */
  nonFiniteSamples: number;
  /** Null when every packet of the file decoded. */
  damage: Damage | null;
};

export type Damage = {
  /** Packets that could not be decoded and were left out. */
  damagedPackets: number;
  /** The file ends before the audio it declares does. */
  truncated: boolean;
};
