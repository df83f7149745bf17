import { describe, expect, it } from 'vitest';
import type { PacketDecoder } from '../codecs/packet-decoder.ts';
import { newHealth, type Samples } from '../stream/audio-stream.ts';
import { type PresentationWindow, streamPackets, untrimmed } from './packet-stream.ts';

/** Decodes every byte to one sample of its value. A packet that begins with DAMAGED gives nothing. */
const DAMAGED = 255;
type TestDecoder = PacketDecoder & { batchSizes: number[] };
function byteDecoder({ formatAfterPackets = 0, flushed = [] as number[] } = {}): TestDecoder {
  const decoder: TestDecoder = {
    codec: 'bytes',
    decoder: 'test',
    sampleRateHz: 8000,
    channelCount: formatAfterPackets === 0 ? 1 : 0,
    bitDepth: null,
    decodedPackets: 0,
    damagedPackets: 0,
    batchSizes: [],
    decode(packets) {
      decoder.batchSizes.push(packets.length);
      const intact = packets.filter(([first]) => first !== DAMAGED);
      decoder.decodedPackets += intact.length;
      decoder.damagedPackets += packets.length - intact.length;
      if (decoder.decodedPackets < formatAfterPackets) return [];
      decoder.channelCount = 1;
      return [Float32Array.from(intact.flatMap((packet) => [...packet]))];
    },
    flush: () => [Float32Array.from(flushed)],
  };
  return decoder;
}

function stream(packets: number[][], window: Partial<PresentationWindow> = {}, decoder = byteDecoder()) {
  const opened = streamPackets({
    container: 'Test',
    decoder,
    packets: packets.map((packet) => Uint8Array.from(packet)),
    health: newHealth(),
    audioBytes: null,
    window: () => ({ ...untrimmed(null), ...window }),
  });
  const blocks: Samples[] = [...opened.blocks];
  return { ...opened, decoder, values: blocks.flatMap(([channel]) => [...(channel ?? [])]) };
}

describe('the presentation window', () => {
  const packets = [[1, 2, 3], [4, 5], [6]];
  it.each<[string, Partial<PresentationWindow>, number[]]>([
    ['leaves all samples if nothing is declared', {}, [1, 2, 3, 4, 5, 6]],
    ['removes the encoder delay', { skipSamples: 4 }, [5, 6]],
    ['keeps a given number after it', { skipSamples: 1, keepSamples: 3 }, [2, 3, 4]],
    ['adds silence for a negative delay', { skipSamples: -2 }, [0, 0, 1, 2, 3, 4, 5, 6]],
    ['removes padding after the declared length', { unpaddedSamples: 4 }, [1, 2, 3, 4]],
    ['counts the declared length after the delay', { skipSamples: 1, unpaddedSamples: 4 }, [2, 3, 4, 5]],
    ['ignores a declared length beyond the samples', { unpaddedSamples: 7 }, [1, 2, 3, 4, 5, 6]],
  ])('%s', (_, window, values) => {
    expect(stream(packets, window).values).toEqual(values);
  });

  it('removes at most 8,192 samples of padding: more are a damaged length', () => {
    const long = Array.from({ length: 9000 }, (_, i) => [i % 100]);
    expect(stream(long, { unpaddedSamples: 9000 - 8192 }).values).toHaveLength(9000 - 8192);
    expect(stream(long, { unpaddedSamples: 9000 - 8193 }).values).toHaveLength(9000);
  });
});

it('counts decoded and damaged packets', () => {
  const { values, health } = stream([[1], [DAMAGED], [2]]);
  expect(values).toEqual([1, 2]);
  expect(health).toMatchObject({ decodedPackets: 2, damagedPackets: 1 });
});

it('ends with what the decoder still held', () => {
  expect(stream([[1]], {}, byteDecoder({ flushed: [8, 9] })).values).toEqual([1, 8, 9]);
});

it('decodes at most 32 packets or 128 KiB at a time', () => {
  const small = Array.from({ length: 65 }, () => [1]);
  expect(stream(small).decoder.batchSizes).toEqual([32, 32, 1]);
  const large = Array.from({ length: 5 }, () => new Array(64 * 1024).fill(1));
  expect(stream(large).decoder.batchSizes).toEqual([2, 2, 1]);
});

it('waits for the format through 32 batches, and gives up after them', () => {
  const packets = (count: number) => Array.from({ length: count }, () => [1]);
  const after = (formatAfterPackets: number) => byteDecoder({ formatAfterPackets });
  // The decoder has its format with the last packet of the 32nd batch.
  const late = stream(packets(32 * 32), {}, after(32 * 32));
  expect([late.channelCount, late.values.length]).toEqual([1, 32]);
  expect(() => stream(packets(33 * 32), {}, after(32 * 32 + 1))).toThrow(
    expect.objectContaining({ code: 'corrupt_audio' }),
  );
});

it('refuses audio of which nothing can be decoded', () => {
  expect(() => stream([], {}, byteDecoder({ formatAfterPackets: 1 }))).toThrow(
    'None of the audio in the file could be decoded.',
  );
});
