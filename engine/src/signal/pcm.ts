/** Decoded audio, as the decoder hands it to the engine. Samples are nominally in -1..1 and always finite. */

/** What every block of one stream has in common. */
export type PcmFormat = {
  sampleRateHz: number;
  channelCount: number;
};

/**
 * Consecutive samples of all channels, one array per channel, all of the same length. Blocks of one stream may
 * differ in length; their boundaries carry no meaning.
 */
export type PcmBlock = {
  channels: Float32Array[];
};
