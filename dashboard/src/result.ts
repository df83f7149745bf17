import type { RequestOutput } from '@earshot/sdk';

export type Result = NonNullable<RequestOutput<'getAnalysisResult'>['result']>;

type Chord = NonNullable<Result['tonal']>['chords'][number];

/**
 * The triads, except where a user has corrected a chord: there the full chord, of which `chords` holds only the triad. Corrected
 * chords have confidence 1 in both lists.
 */
export function shownChords({ tonal }: Result): Chord[] {
  if (!tonal) return [];
  const isCertain = ({ confidence }: Chord) => confidence === 1;
  const certain = new Map(
    tonal.chords_sevenths.filter(isCertain).map((chord) => [chord.start_seconds, chord]),
  );
  return tonal.chords.map((chord) => (isCertain(chord) && certain.get(chord.start_seconds)) || chord);
}
