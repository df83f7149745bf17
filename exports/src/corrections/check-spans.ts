import { CorrectionContradicts } from './corrections.ts';

/** Players round the length of a song to seconds, so an end may lie this far behind it. */
const END_TOLERANCE_SECONDS = 0.5;

type Span = { start_seconds: number; end_seconds: number };

/** Checks corrected sections or chords: each must lie within the song, and after the previous one. */
export function checkSpans(
  member: 'sections' | 'chords',
  spans: readonly Span[],
  durationSeconds: number,
): void {
  const one = member === 'sections' ? 'a section' : 'a chord';
  spans.forEach(({ start_seconds, end_seconds }, index) => {
    const refuse = (edge: keyof Span, sentence: string): never => {
      throw new CorrectionContradicts([member, index, edge], sentence);
    };
    if (end_seconds <= start_seconds) refuse('end_seconds', `${one} ends after it begins`);
    if (start_seconds >= durationSeconds) refuse('start_seconds', `the song ends at ${durationSeconds} s`);
    if (end_seconds > durationSeconds + END_TOLERANCE_SECONDS) {
      refuse('end_seconds', `the song ends at ${durationSeconds} s`);
    }
    if (index > 0 && start_seconds < spans[index - 1]!.end_seconds) {
      refuse('start_seconds', `${member} are in order and do not overlap`);
    }
  });
}
