import { describe, expect, it } from 'vitest';
import { type AudioStream, newHealth, type StreamHealth } from '../stream/audio-stream.ts';
import { judgeStream } from './judge-stream.ts';

function streamWith(health: Partial<StreamHealth>, declaredSamples: number | null = 1000): AudioStream {
  return {
    container: 'Test',
    codec: 'Test',
    decoder: 'test',
    sampleRateHz: 8000,
    channelCount: 2,
    bitDepth: null,
    nominalBitRateBps: null,
    audioBytes: null,
    declaredSamples,
    blocks: [],
    health: { ...newHealth(), ...health },
  };
}

const output = (decodedSamples: number, nonFiniteSamples = 0) => ({ decodedSamples, nonFiniteSamples });

describe('judgeStream', () => {
  it('reports no damage in an intact stream', () => {
    expect(judgeStream(streamWith({ decodedPackets: 10 }), output(1000))).toBeNull();
  });

  it('reports damage to less than half of the packets', () => {
    const stream = streamWith({ decodedPackets: 6, damagedPackets: 5, truncated: true });
    expect(judgeStream(stream, output(600))).toEqual({ damagedPackets: 5, truncated: true });
  });

  it.each<[string, AudioStream, ReturnType<typeof output>, string]>([
    ['no samples and no damage', streamWith({}), output(0), 'no_audio'],
    [
      'no samples, because all packets are damaged',
      streamWith({ damagedPackets: 3 }),
      output(0),
      'corrupt_audio',
    ],
    ['no samples, because the file is cut', streamWith({ truncated: true }), output(0), 'corrupt_audio'],
    [
      'more than half of the packets are damaged',
      streamWith({ decodedPackets: 4, damagedPackets: 5 }),
      output(900),
      'corrupt_audio',
    ],
    [
      'less than half of what is declared',
      streamWith({ decodedPackets: 9, truncated: true }),
      output(499),
      'corrupt_audio',
    ],
    // 2 channels of 1,000 samples: 20 is one in a hundred.
    [
      'more than one sample in a hundred is implausible',
      streamWith({ decodedPackets: 9 }),
      output(1000, 21),
      'corrupt_audio',
    ],
  ])('refuses a stream: %s', (_, stream, counts, code) => {
    expect(() => judgeStream(stream, counts)).toThrow(expect.objectContaining({ code }));
  });

  it('accepts exactly half of the packets and samples, and one implausible sample in a hundred', () => {
    const stream = streamWith({ decodedPackets: 5, damagedPackets: 5 });
    expect(judgeStream(stream, output(500, 10))).toEqual({ damagedPackets: 5, truncated: false });
  });

  it('does not judge the length where none is declared', () => {
    expect(judgeStream(streamWith({ decodedPackets: 1 }, null), output(10))).toBeNull();
  });
});
