import { CorrectionContradicts } from './corrections.ts';

/** Players show the length rounded: an end this far behind the audio is its end. */
const END_TOLERANCE_SECONDS = 0.5;

type Span = { start_seconds: number; end_seconds: number };

/** Of sections or chords as a person says them: each within the song, and each after the one before. */
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
