import type { RequestOutput } from '@earshot/sdk';

export type Result = NonNullable<RequestOutput<'getAnalysisResult'>['result']>;

type Chord = NonNullable<Result['tonal']>['chords'][number];

/**
 * Triads, but where a person has said the chord, all of it: the list of triads has only what is underneath. What is said is
 * sure in both lists.
 */
export function shownChords({ tonal }: Result): Chord[] {
  if (!tonal) return [];
  const isSure = ({ confidence }: Chord) => confidence === 1;
  const said = new Map(tonal.chords_sevenths.filter(isSure).map((chord) => [chord.start_seconds, chord]));
  return tonal.chords.map((chord) => (isSure(chord) && said.get(chord.start_seconds)) || chord);
}
