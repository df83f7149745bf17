/** Decodes MP3 with dr_mp3, compiled to WebAssembly with SIMD (decode/wasm) and faster than mpg123, which decodes layers I and II. */

import { MP3_WASM_BASE64 } from './mp3.generated.ts';
import type { MpegRunDecoder } from './mpeg.ts';
import type { MpegHeader } from './mpeg-header.ts';

/** The size of the buffers in decode/wasm/mp3.c. */
const RUN_PACKETS_MAX = 14;
const PACKET_BYTES_MAX = 1441;

type Mp3Module = {
  memory: WebAssembly.Memory;
  packetsAt(): number;
  samplesAt(channel: number): number;
  /** Returns the number of damaged packets. */
  decode(packetCount: number, packetSamples: number, streamChannels: number): number;
  /** Over all channels since the start of the stream. */
  silencedSamples(): number;
};

/** For the packets of one stream, in order, given the header of the first. */
export function createMp3Decoder({ sampleCount, channelCount }: MpegHeader): MpegRunDecoder {
  const { exports } = new WebAssembly.Instance(
    new WebAssembly.Module(Buffer.from(MP3_WASM_BASE64, 'base64')),
  );
  const mp3 = exports as Mp3Module;
  const { buffer } = mp3.memory;
  const input = new Uint8Array(buffer, mp3.packetsAt(), RUN_PACKETS_MAX * PACKET_BYTES_MAX);
  const outputs = Array.from(
    { length: channelCount },
    (_, channel) => new Float32Array(buffer, mp3.samplesAt(channel), RUN_PACKETS_MAX * sampleCount),
  );
  return {
    name: 'dr_mp3',
    runPacketsMax: RUN_PACKETS_MAX,
    decode(packets, packetCount) {
      input.set(packets);
      const damagedPackets = mp3.decode(packetCount, sampleCount, channelCount);
      const samples = outputs.map((output) => copyOf(output.subarray(0, packetCount * sampleCount)));
      return { samples, damagedPackets, silencedSamples: mp3.silencedSamples() };
    },
  };
}

/** Like slice(), but without zeroing the memory first. */
function copyOf(samples: Float32Array): Float32Array {
  const copy = new Float32Array(Buffer.allocUnsafeSlow(samples.byteLength).buffer);
  copy.set(samples);
  return copy;
}
