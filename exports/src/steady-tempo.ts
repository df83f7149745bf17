import { BEAT_TOLERANCE_SECONDS, type GridBeat } from './beat-grid.ts';

/** Beat trackers make mistakes, so one beat in twenty may be further than this from the line. Both are estimates, not measured. */
const OFF_SECONDS = 0.025;
const OFF_SHARE_MAX = 0.05;

/** The least-squares line through all tracked beats; null if there are fewer than two, or if they are too far from it: the tempo moves. */
export function steadyTempo(
  grid: readonly GridBeat[],
): { startSeconds: number; secondsPerBeat: number } | null {
  const beats = grid.flatMap((beat, index) => (beat.isTracked ? [{ index, seconds: beat.timeSeconds }] : []));
  if (beats.length < 2) return null;
  const meanIndex = beats.reduce((sum, { index }) => sum + index, 0) / beats.length;
  const meanSeconds = beats.reduce((sum, { seconds }) => sum + seconds, 0) / beats.length;
  let [covariance, variance] = [0, 0];
  for (const { index, seconds } of beats) {
    covariance += (index - meanIndex) * (seconds - meanSeconds);
    variance += (index - meanIndex) ** 2;
  }
  const secondsPerBeat = covariance / variance;
  const startSeconds = meanSeconds - secondsPerBeat * meanIndex;
  const offSeconds = beats.map(({ index, seconds }) =>
    Math.abs(startSeconds + index * secondsPerBeat - seconds),
  );
  const farCount = offSeconds.filter((seconds) => seconds > OFF_SECONDS).length;
  const isBeyondTolerance = offSeconds.some((seconds) => seconds > BEAT_TOLERANCE_SECONDS);
  if (farCount > beats.length * OFF_SHARE_MAX || isBeyondTolerance) return null;
  return { startSeconds, secondsPerBeat };
}
