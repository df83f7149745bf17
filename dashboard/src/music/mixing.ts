/** How two songs run together: the second at the tempo of the first, bar on bar with it. */

/** By how much the second is played faster to keep up with the first; half and double count as the same tempo. */
export function tempoRatio(firstBpm: number, secondBpm: number): number {
  const octaves = Math.log2(firstBpm / secondBpm);
  return 2 ** (octaves - Math.round(octaves));
}

type Beat = { time_seconds: number; beat_in_bar: number };

/** Where the bars begin to count; songs without beats begin with themselves. */
export function firstDownbeatSeconds(beats: readonly Beat[]): number {
  return (beats.find(({ beat_in_bar }) => beat_in_bar === 1) ?? beats[0])?.time_seconds ?? 0;
}

/** Where the second song is when the first is at `seconds`. */
export function alignedSeconds(
  seconds: number,
  { ratio, firstAnchorSeconds, secondAnchorSeconds }: Alignment,
): number {
  return secondAnchorSeconds + (seconds - firstAnchorSeconds) * ratio;
}

export type Alignment = { ratio: number; firstAnchorSeconds: number; secondAnchorSeconds: number };

/** Of equal power: halfway both are as loud together as each is alone. `fadeFraction` is 0 for the first song, 1 for the second. */
export function fadeVolumes(fadeFraction: number): [firstVolume: number, secondVolume: number] {
  const angleRadians = (fadeFraction * Math.PI) / 2;
  return [Math.cos(angleRadians), Math.sin(angleRadians)];
}
