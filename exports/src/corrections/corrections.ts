import type { Section } from '../result-document.ts';

/**
 * A person's corrections of a song, with the names of the interface, which accepts null as well as an absent field: both leave the part
 * as it was heard.
 */
export type Corrections = {
  tempo?: TempoCorrection | null;
  first_downbeat_seconds?: number | null;
  shift_beats?: number | null;
  beats_per_bar?: number | null;
  key?: string | null;
  sections?: CorrectedSection[] | null;
  chords?: CorrectedChord[] | null;
  beats?: BeatEdits | null;
};

type TempoCorrection = 'double' | 'half' | 'triple' | 'third' | number;
type CorrectedSection = {
  start_seconds: number;
  end_seconds: number;
  label: Section['label'];
  group?: string | null;
};
type CorrectedChord = { start_seconds: number; end_seconds: number; label: string };
export type BeatEdits = {
  remove?: number[] | null;
  move?: { from_seconds: number; to_seconds: number }[] | null;
  add?: number[] | null;
};

const CORRECTION_KINDS = ['tempo', 'bars', 'beats', 'key', 'chords', 'sections'] as const;
export type CorrectionKind = (typeof CORRECTION_KINDS)[number];

/** A correction that cannot be true of this song. `path` leads to the contradicting field. The message is public. */
export class CorrectionContradicts extends Error {
  override readonly name = 'CorrectionContradicts';
  readonly path: readonly (string | number)[];

  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.path = path;
  }
}

/** The kinds of correction that are present, in the order of CORRECTION_KINDS. */
export function kindsOf(corrections: Corrections): CorrectionKind[] {
  const { tempo, first_downbeat_seconds, shift_beats, beats_per_bar, beats, key, chords, sections } =
    corrections;
  const isGiven: Record<CorrectionKind, boolean> = {
    tempo: tempo != null,
    bars: first_downbeat_seconds != null || shift_beats != null || beats_per_bar != null,
    beats: beats != null,
    key: key != null,
    chords: chords != null,
    sections: sections != null,
  };
  return CORRECTION_KINDS.filter((kind) => isGiven[kind]);
}
