import type { Result } from '../result.ts';

/** Less confident genres are often wrong. Chosen by eye. */
const GENRE_CONFIDENCE_MIN = 0.1;

/** A corrected key may be one of the alternatives to the detected one. */
export function otherKeys({ key, scale, tonal }: Result) {
  return (tonal?.alternatives ?? []).filter((other) => other.key !== key || other.scale !== scale);
}

/** Genres and moods; some words, such as "experimental", are both. */
export function characterWords({ tags, genre_suggestions, mood_tags }: Result): string[] {
  const genres = tags?.genres.filter(({ confidence }) => confidence >= GENRE_CONFIDENCE_MIN);
  return [...new Set([...(genres?.map(({ label }) => label) ?? genre_suggestions), ...mood_tags])];
}

/** Why there is no tempo; null when there is one. */
export function tempoAbsence({ bpm, unavailable }: Result): string | null {
  if (bpm !== null) return null;
  const reason = unavailable['rhythm.bpm'];
  if (reason === 'outside_hint') return 'The tempo is outside the bounds given.';
  return reason === 'too_short' ? 'Too short for a tempo.' : 'No steady pulse.';
}
