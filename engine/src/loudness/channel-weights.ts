/**
 * How much each channel counts (ITU-R BS.1770-5, tables 3 and 5): +1.5 dB between 60 and 120 degrees to the side, nothing
 * for the low-frequency channel, one for all others.
 *
 * The decoder reports how many channels there are, not where they stand, so the usual order of WAVE files is assumed: L R C LFE, then
 * the surrounds; four and five channels are L R and L R C with the surrounds, without LFE. In 7.1 the back pair stands at 135 degrees,
 * outside the range, so only the side pair is raised.
 */

/** +1.5 dB of energy, as the table prints it. */
const SIDE = 1.41;

const WEIGHTS: Record<number, readonly number[]> = {
  4: [1, 1, SIDE, SIDE],
  5: [1, 1, 1, SIDE, SIDE],
  6: [1, 1, 1, 0, SIDE, SIDE],
  7: [1, 1, 1, 0, 1, SIDE, SIDE],
  8: [1, 1, 1, 0, 1, 1, SIDE, SIDE],
};

export function listChannelWeights(channelCount: number): readonly number[] {
  return WEIGHTS[channelCount] ?? new Array<number>(channelCount).fill(1);
}
