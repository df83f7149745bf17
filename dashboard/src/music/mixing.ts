/** Beatmatching: the second song is played at the tempo of the first, with their downbeats aligned. */

/** The playback rate of the second song; half and double tempo count as the same, so it is between 1/√2 and √2. */
export function tempoRatio(firstBpm: number, secondBpm: number): number {
  const octaves = Math.log2(firstBpm / secondBpm);
  return 2 ** (octaves - Math.round(octaves));
}

type Beat = { time_seconds: number; beat_in_bar: number };

/** The first downbeat, or else the first beat, or else the start of the song. */
export function firstDownbeatSeconds(beats: readonly Beat[]): number {
  return (beats.find(({ beat_in_bar }) => beat_in_bar === 1) ?? beats[0])?.time_seconds ?? 0;
}

/** The time in the second song that plays together with `seconds` in the first. */
export function alignedSeconds(
  seconds: number,
  { ratio, firstAnchorSeconds, secondAnchorSeconds }: Alignment,
): number {
  return secondAnchorSeconds + (seconds - firstAnchorSeconds) * ratio;
}

/** `ratio` is the playback rate of the second song; the anchors are the downbeats of both that play together. */
export type Alignment = { ratio: number; firstAnchorSeconds: number; secondAnchorSeconds: number };

/** An equal-power crossfade from the first song (`fadeFraction` 0) to the second (1): the loudness stays about the same throughout. */
export function fadeVolumes(fadeFraction: number): [firstVolume: number, secondVolume: number] {
  const angleRadians = (fadeFraction * Math.PI) / 2;
  return [Math.cos(angleRadians), Math.sin(angleRadians)];
}
