/**
 * How much each channel counts (ITU-R BS.1770-5, tables 3 and 5): +1.5 dB for loudspeakers at 60 to 120 degrees to the side, zero for the
 * low-frequency channel (LFE), one for all others.
 *
 * The decoder reports the number of channels but not their positions, so the usual order of WAVE files is assumed: L R C LFE, then the
 * surrounds. Four and five channels are L R and L R C with the surrounds. In 7.1 the back pair, at 135 degrees, is not raised.
 */

/** +1.5 dB of energy, rounded as in the table. */
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
