import type { Samples } from '../containers/audio-stream.ts';

/** mpg123 retries a read that fails, for ever when the state is beyond repair; every try prints a line. */
const COMPLAINTS_MAX = 500;

export type MpegDecoder = {
  /** Whole packets back to back; both channels are filled even for mono. */
  decode(packets: Uint8Array): Samples;
};

export async function createMpegDecoder(): Promise<MpegDecoder> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  return {
    decode(packets) {
      const printError = console.error;
      let complaints = 0;
      console.error = () => {
        if (++complaints > COMPLAINTS_MAX) throw new Error('mpg123 does not recover');
      };
      try {
        return decoder.decode(packets).channelData;
      } finally {
        console.error = printError;
      }
    },
  };
}
