import { type Samples, sampleCountOf, silence } from '../stream/audio-stream.ts';
import type { MpegHeader } from './mpeg-header.ts';
import { joinSamples } from './packet-decoder.ts';

/** mpg123 retries a read that fails, for ever when the state is beyond repair; every try prints a line. A choice: far more than damage causes. */
const COMPLAINTS_MAX = 500;

type MpegDecoder = {
  /** Whole packets back to back; both channels are filled even for mono. */
  decode(packets: Uint8Array): Samples;
};

/** Decodes the packets of one stream, some at a time. */
export type MpegRunDecoder = {
  name: string;
  runPacketsMax: number;
  /** Whole packets back to back. What did not decode is silence, so that times after it stay true. */
  decode(packets: Uint8Array, packetCount: number): DecodedRun;
};

type DecodedRun = {
  samples: Samples;
  damagedPackets: number;
  /** Of the stream so far, as in StreamHealth. */
  silencedSamples: number | null;
};

/** Layers I and II are rare and small; two hundred packets are some five seconds. */
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

/** mpg123 is asked for stereo always; a mono stream has the same twice, unless it turns stereo on the way. */
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
