import { itemAt } from '../music/item-at.ts';
import type { Loop } from '../playback/player.ts';
import type { Result } from '../result.ts';

const BARS = 4;
/** Without a tempo: as long as four bars of 4/4 at 120 BPM. */
const WITHOUT_TEMPO_SECONDS = 8;

/** The section at `seconds`; where there are no sections, four bars from there. */
export function loopHere(result: Result, seconds: number): Loop {
  const section = itemAt(result.structure?.sections ?? [], seconds, ({ start_seconds }) => start_seconds);
  if (section) return { startSeconds: section.start_seconds, endSeconds: section.end_seconds };
  const lengthSeconds =
    result.bpm === null ? WITHOUT_TEMPO_SECONDS : BARS * (result.time_signature ?? 4) * (60 / result.bpm);
  return { startSeconds: seconds, endSeconds: Math.min(result.duration_seconds, seconds + lengthSeconds) };
}
