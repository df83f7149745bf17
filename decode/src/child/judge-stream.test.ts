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
    audioBytes: null,
    declaredSamples,
    blocks: [],
    health: { ...newHealth(), ...health },
  };
}

const output = (decodedSamples: number, nonFiniteSamples = 0) => ({ decodedSamples, nonFiniteSamples });

describe('judgeStream', () => {
  it('a whole stream has no damage', () => {
    expect(judgeStream(streamWith({ decodedPackets: 10 }), output(1000))).toBeNull();
  });

  it('damage below half is noted, not refused', () => {
    const stream = streamWith({ decodedPackets: 6, damagedPackets: 5, truncated: true });
    expect(judgeStream(stream, output(600))).toEqual({ damagedPackets: 5, truncated: true });
  });

  it.each<[string, AudioStream, ReturnType<typeof output>, string]>([
    ['nothing came out, nothing was broken', streamWith({}), output(0), 'no_audio'],
    ['nothing came out of broken packets', streamWith({ damagedPackets: 3 }), output(0), 'corrupt_audio'],
    [
      'half of the packets are broken',
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
    ['one sample in a hundred is wild', streamWith({ decodedPackets: 9 }), output(1000, 21), 'corrupt_audio'],
  ])('%s', (_, stream, counts, code) => {
    expect(() => judgeStream(stream, counts)).toThrow(expect.objectContaining({ code }));
  });

  it('exactly half of everything, and one wild sample in a hundred, is still a success', () => {
    const stream = streamWith({ decodedPackets: 5, damagedPackets: 5 });
    expect(judgeStream(stream, output(500, 10))).toEqual({ damagedPackets: 5, truncated: false });
  });

  it('a length nobody declared cannot be missed', () => {
    expect(judgeStream(streamWith({ decodedPackets: 1 }, null), output(10))).toBeNull();
  });
});
