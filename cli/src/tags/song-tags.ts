import type { ResultDocument } from '@earshot/exports';

/** The values that players and DJ programs read from a file; null when the analysis has none. */
export type SongTags = {
  bpm: number | null;
  /** As the ID3 frame TKEY wants it: "Am", "F#m", "Bb". */
  key: string | null;
  /** The key's place on the Camelot wheel: "8A". */
  camelot: string | null;
  replayGain: ReplayGain | null;
  /** In title case: "Hip-Hop". Null also without --genre, because the owner may have chosen another. */
  genre: string | null;
};

export type ReplayGain = {
  /** Relative to -18 LUFS. */
  gainDb: number;
  /** Of the largest sample to full scale. */
  peakRatio: number;
};

/** The file cannot be tagged; the message is the reason, for its owner. */
export class TagsUnavailable extends Error {
  override readonly name = 'TagsUnavailable';
}

export function songTagsOf(document: ResultDocument, options: { genre: boolean }): SongTags {
  const { bpm, key_notation: key, camelot, loudness } = document;
  const gain = loudness?.replay_gain;
  return {
    bpm,
    key,
    camelot,
    genre: options.genre ? toTitle(document.genre_suggestions[0] ?? null) : null,
    replayGain:
      gain?.track_gain_db == null ? null : { gainDb: gain.track_gain_db, peakRatio: gain.track_peak },
  };
}

function toTitle(genre: string | null): string | null {
  return genre === null ? null : genre.replace(/(^|[\s-])[a-z]/g, (letters) => letters.toUpperCase());
}

/**
 * Fields without a standard frame, which have the same names in all formats, in lower case in MP4 (ReplayGain is left out for Opus). The
 * standard tempo fields hold whole numbers, because common readers drop decimals; fBPM is where beaTunes and others keep the exact tempo.
 */
export function namedFields(tags: SongTags): [name: string, value: string][] {
  return [
    ...(tags.bpm === null ? [] : [['fBPM', tags.bpm.toFixed(2)] as [string, string]]),
    ...(tags.camelot === null ? [] : [['CAMELOT', tags.camelot] as [string, string]]),
    ...replayGainFields(tags),
  ];
}

function replayGainFields({ replayGain }: SongTags): [name: string, value: string][] {
  if (replayGain === null) return [];
  return [
    ['REPLAYGAIN_TRACK_GAIN', `${replayGain.gainDb.toFixed(2)} dB`],
    ['REPLAYGAIN_TRACK_PEAK', replayGain.peakRatio.toFixed(6)],
  ];
}
