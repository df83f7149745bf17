import { itemAt } from '../music/item-at.ts';
import type { Result } from '../result.ts';
import type { TimelineEdit } from '../timeline/timeline.tsx';
import { moveBeat, moveBoundary, scaleTempo, sectionsOf, splitSection, startBarAt } from './corrections.ts';
import type { Song } from './use-song.ts';

/** The corrections made by a button, by a key or on the time line, each with the message of its toast. */

/** Doubles or halves the tempo that is shown. */
export function changeTempo(song: Song, result: Result, factor: 2 | 0.5): void {
  if (result.bpm === null) return;
  song.correct(
    (body) => scaleTempo(body, factor, heardBpmOf(result)),
    factor === 2 ? 'Tempo doubled.' : 'Tempo halved.',
  );
}

/** What the engine detected before the song was corrected; null when it was not corrected. */
export function heardOf(result: Result) {
  return result.corrections?.heard ?? null;
}

export function heardBpmOf(result: Result): number | null {
  const heard = heardOf(result);
  return heard ? heard.bpm : result.bpm;
}

/** People tap a little early: a tap this close before a beat means that beat. Chosen by ear. */
const TAP_EARLY_SECONDS = 0.05;

/** Makes the beat under the playhead, or about to come, the first of a bar. */
export function startBarHere(song: Song, result: Result, seconds: number): void {
  const beats = result.rhythm?.beats ?? [];
  const beat = itemAt(beats, seconds + TAP_EARLY_SECONDS, ({ time_seconds }) => time_seconds) ?? beats[0];
  if (beat) song.correct((body) => startBarAt(body, beat.time_seconds), 'Bars counted from this beat.');
}

/** Splits the section under the playhead; false where one begins or ends, which leaves nothing to split. */
export function splitHere(song: Song, result: Result, seconds: number): boolean {
  const sections = splitSection(sectionsOf(result), seconds);
  if (sections) song.correct((body) => ({ ...body, sections }), 'Section split.');
  return sections !== null;
}

export function applyEdit(song: Song, result: Result, edit: TimelineEdit): void {
  const { kind, fromSeconds, toSeconds } = edit;
  if (kind === 'move beat') {
    song.correct((body) => moveBeat(body, fromSeconds, toSeconds), 'Beat moved.');
    return;
  }
  const sections = moveBoundary(sectionsOf(result), fromSeconds, toSeconds);
  if (sections) song.correct((body) => ({ ...body, sections }), 'Boundary moved.');
}
