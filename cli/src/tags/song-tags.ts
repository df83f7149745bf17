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
  loudnessLufs: number;
  /** Relative to full scale; above 1 when the true peak is. */
  peakRatio: number;
};

/** The reference level of ReplayGain 2.0 (Robinson et al., hydrogenaud.io/ReplayGain_2.0_specification). */
const REPLAY_GAIN_LUFS = -18;

/** The file cannot be tagged; the message is the reason, for its owner. */
export class TagsUnavailable extends Error {
  override readonly name = 'TagsUnavailable';
}

export function songTagsOf(document: ResultDocument, options: { genre: boolean }): SongTags {
  const {
    bpm,
    key_notation: key,
    camelot,
    loudness_lufs: loudnessLufs,
    true_peak_dbtp: truePeakDbtp,
  } = document;
  return {
    bpm,
    key,
    camelot,
    genre: options.genre ? toTitle(document.genre_suggestions[0] ?? null) : null,
    replayGain:
      loudnessLufs === null || truePeakDbtp === null
        ? null
        : { loudnessLufs, peakRatio: 10 ** (truePeakDbtp / 20) },
  };
}

function toTitle(genre: string | null): string | null {
  return genre === null ? null : genre.replace(/(^|[\s-])[a-z]/g, (letters) => letters.toUpperCase());
}

/**
 * Fields without a standard frame, which have the same names in all formats (ReplayGain is left out for Opus). The standard tempo
 * fields hold whole numbers, because common readers drop decimals; fBPM is where beaTunes and others keep the exact tempo.
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
  const { loudnessLufs, peakRatio } = replayGain;
  return [
    ['REPLAYGAIN_TRACK_GAIN', `${(REPLAY_GAIN_LUFS - loudnessLufs).toFixed(2)} dB`],
    ['REPLAYGAIN_TRACK_PEAK', peakRatio.toFixed(6)],
  ];
}
