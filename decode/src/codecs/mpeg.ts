import { type Samples, sampleCountOf, silence } from '../stream/audio-stream.ts';
import type { MpegHeader } from './mpeg-header.ts';
import { joinSamples } from './packet-decoder.ts';

/** Far more than damaged packets cause: in some states mpg123 retries a failing read forever, printing a line each time. */
const ERROR_LINES_MAX = 500;

type MpegDecoder = {
  /** Takes whole packets back to back. Always returns two channels, even for mono. */
  decode(packets: Uint8Array): Samples;
};

/** Decodes the packets of one stream in runs. */
export type MpegRunDecoder = {
  name: string;
  runPacketsMax: number;
  /** Takes whole packets back to back. Damaged ones become silence, so that what follows keeps its position in time. */
  decode(packets: Uint8Array, packetCount: number): DecodedRun;
};

type DecodedRun = {
  samples: Samples;
  damagedPackets: number;
  /** Of the stream so far, as in StreamHealth. */
  silencedSamples: number | null;
};

/** About five seconds of layer II, or two of layer I. */
const RUN_PACKETS_MAX = 200;

export async function createMpegRunDecoder({
  sampleCount,
  channelCount,
}: MpegHeader): Promise<MpegRunDecoder> {
  const mpeg = await createMpegDecoder();
  return {
    name: 'mpg123',
    runPacketsMax: RUN_PACKETS_MAX,
    decode(packets, packetCount) {
      const decoded = fitChannels(mpeg.decode(packets), channelCount);
      const missingSamples = packetCount * sampleCount - sampleCountOf(decoded);
      const damagedPackets = Math.max(0, Math.round(missingSamples / sampleCount));
      const samples =
        damagedPackets === 0
          ? decoded
          : joinSamples([decoded, silence(channelCount, missingSamples)], channelCount);
      return { samples, damagedPackets, silencedSamples: null };
    },
  };
}

/** mpg123 always outputs stereo. In a mono stream both channels are equal, except where the stream changes to stereo. */
function fitChannels(decoded: Samples, channelCount: number): Samples {
  const [left, right] = decoded;
  if (channelCount === 2 || !left || !right) return decoded.slice(0, channelCount);
  const mono = new Float32Array(left.length);
  for (let i = 0; i < mono.length; i++)
    mono[i] = left[i] === right[i] ? left[i]! : (left[i]! + right[i]!) / 2;
  return [mono];
}

export async function createMpegDecoder(): Promise<MpegDecoder> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  return {
    decode(packets) {
      const printError = console.error;
      let errorLineCount = 0;
      console.error = () => {
        if (++errorLineCount > ERROR_LINES_MAX) throw new Error('mpg123 does not recover');
      };
      try {
        return decoder.decode(packets).channelData;
      } finally {
        console.error = printError;
      }
    },
  };
}
