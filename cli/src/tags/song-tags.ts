import type { ResultDocument } from '@earshot/exports';

/** What players and DJ programs look for in a file; null where the song has no answer. */
export type SongTags = {
  bpm: number | null;
  /** As the ID3 frame TKEY wants it: "Am", "F#m", "Bb". */
  key: string | null;
  replayGain: ReplayGain | null;
};

export type ReplayGain = {
  loudnessLufs: number;
  /** Linear; above 1 when the true peak is above full scale. */
  peak: number;
};

/** ReplayGain 2.0 aims at -18 LUFS (Robinson et al., hydrogenaud.io/ReplayGain_2.0_specification). */
const REPLAY_GAIN_LUFS = -18;

/** The tag is there, or the container is not one we can write to. The message is for the owner of the file. */
export class TagsUnavailable extends Error {
  override readonly name = 'TagsUnavailable';
}

export function songTagsOf(document: ResultDocument): SongTags {
  const { bpm, key_notation: key, loudness_lufs: loudnessLufs, true_peak_dbtp: truePeakDbtp } = document;
  return {
    bpm,
    key,
    replayGain:
      loudnessLufs === null || truePeakDbtp === null
        ? null
        : { loudnessLufs, peak: 10 ** (truePeakDbtp / 20) },
  };
}

/** Name and text of the two values that every format but Opus writes the same way. */
export function replayGainFields(tags: SongTags): [name: string, value: string][] {
  if (tags.replayGain === null) return [];
  const { loudnessLufs, peak } = tags.replayGain;
  return [
    ['REPLAYGAIN_TRACK_GAIN', `${(REPLAY_GAIN_LUFS - loudnessLufs).toFixed(2)} dB`],
    ['REPLAYGAIN_TRACK_PEAK', peak.toFixed(6)],
  ];
}
