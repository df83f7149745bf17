/**
 * Decoded audio, as passed to the engine. Samples are nominally in -1..1; the engine sets to zero those that are not finite or beyond
 * 64 times full scale (block-stage.ts).
 */

/** The format shared by all blocks of a stream. */
export type PcmFormat = {
  sampleRateHz: number;
  channelCount: number;
};

/**
 * Consecutive samples of all channels, one array per channel, all of the same length. Blocks of one stream may
 * differ in length; their boundaries have no meaning.
 */
export type PcmBlock = {
  channels: Float32Array[];
};
