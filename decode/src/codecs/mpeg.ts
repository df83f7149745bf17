import { type Samples, sampleCountOf, silence } from '../stream/audio-stream.ts';
import type { MpegHeader } from './mpeg-header.ts';
import { joinSamples } from './packet-decoder.ts';

/** Chosen, far more than damage causes: in some states mpg123 retries a failing read for ever, and prints a line each time. */
const COMPLAINTS_MAX = 500;

type MpegDecoder = {
  /** Takes whole packets back to back. Gives two channels, for mono too. */
  decode(packets: Uint8Array): Samples;
};

/** Decodes the packets of one stream in runs. */
export type MpegRunDecoder = {
  name: string;
  runPacketsMax: number;
  /** Takes whole packets back to back. Silence takes the place of damaged ones, so that the times of what follows stay true. */
  decode(packets: Uint8Array, packetCount: number): DecodedRun;
};

type DecodedRun = {
  samples: Samples;
  damagedPackets: number;
  /** Of the stream so far, as in StreamHealth. */
  silencedSamples: number | null;
};

/** Chosen: some five seconds of layers I and II. */
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
      if (damagedPackets === 0) return { samples: decoded, damagedPackets, silencedSamples: null };
      const samples = joinSamples([decoded, silence(channelCount, missingSamples)], channelCount);
      return { samples, damagedPackets, silencedSamples: null };
    },
  };
}

/** mpg123 always gives stereo. In a mono stream both channels are equal, except where the stream changes to stereo. */
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
