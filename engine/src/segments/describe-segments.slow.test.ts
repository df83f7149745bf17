import { describe, expect, it } from 'vitest';
import { analyse } from '../analyse.ts';
import type { AnalysisOptions } from '../result.ts';
import { makeNoise } from '../signal/test-signals.ts';
import { readSegmentSound } from './segment-sounds.ts';
import { listSegments } from './segment-spans.ts';

const RATE_HZ = 22_050;
const NOTE_SECONDS = 0.5;
/** Values that differ by rounding noise may be rounded to adjacent steps of a 255th or a fiftieth. */
const PITCH_STEP = 1 / 255 + 1e-9;
const TIMBRE_STEP = 1 / 50 + 1e-9;

type Note = { midi: number; amplitude?: number; partials?: readonly number[] };
const DULL = [1, 0.2, 0.05] as const;
/** The partials of a sawtooth, up to 8 kHz at C4. */
const BRIGHT = Array.from({ length: 30 }, (_, k) => 1 / (k + 1));

/** Consecutive notes of half a second, each with an attack of 5 ms and a decay. */
function play(notes: readonly Note[], leadSeconds = 0): Float32Array {
  const leadSamples = Math.round(leadSeconds * RATE_HZ);
  const noteSamples = NOTE_SECONDS * RATE_HZ;
  const out = new Float32Array(leadSamples + notes.length * noteSamples);
  notes.forEach(({ midi, amplitude = 0.2, partials = DULL }, index) => {
    const hz = 440 * 2 ** ((midi - 69) / 12);
    for (let n = 0; n < noteSamples; n++) {
      const seconds = n / RATE_HZ;
      const swell = Math.min(1, seconds / 0.005, (NOTE_SECONDS - seconds) / 0.005) * Math.exp(-2 * seconds);
      let tone = 0;
      partials.forEach((level, k) => {
        tone += level * Math.sin(2 * Math.PI * hz * (k + 1) * seconds);
      });
      out[leadSamples + index * noteSamples + n] = amplitude * swell * tone;
    }
  });
  return out;
}

function listen(signal: Float32Array, options: AnalysisOptions = {}) {
  const result = analyse({ sampleRateHz: RATE_HZ, channelCount: 1 }, [{ channels: [signal] }], options);
  const sounds = result.supplement.segmentSounds!;
  const onsetsSeconds = result.rhythm!.onsets.map(({ timeSeconds }) => timeSeconds);
  return listSegments(onsetsSeconds, result.durationSeconds).map((span, segment) => ({
    ...span,
    ...readSegmentSound(sounds, segment),
  }));
}

/** The segment that contains the middle of a note. */
function segmentOfNote(segments: ReturnType<typeof listen>, note: number, leadSeconds = 0) {
  const middleSeconds = leadSeconds + (note + 0.5) * NOTE_SECONDS;
  return segments.find(
    ({ startSeconds, endSeconds }) => startSeconds <= middleSeconds && middleSeconds < endSeconds,
  )!;
}

function expectWithin(values: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(values).toHaveLength(expected.length);
  values.forEach((value, index) => {
    expect(Math.abs(value - expected[index]!)).toBeLessThanOrEqual(tolerance);
  });
}

describe('pitches', () => {
  // C4 E4 G4 A#4 D5 F#3 C3.
  const MIDI = [60, 64, 67, 70, 74, 54, 48];

  it('are 1 for the pitch class of a note and less than a half for all others', () => {
    const segments = listen(play(MIDI.map((midi) => ({ midi }))));
    MIDI.forEach((midi, note) => {
      const { pitches } = segmentOfNote(segments, note);
      expect(pitches[midi % 12]).toBe(1);
      const others = pitches.filter((_, pitchClass) => pitchClass !== midi % 12);
      expect(Math.max(...others)).toBeLessThan(0.5);
    });
  });

  it('follow the tuning of the recording', () => {
    const segments = listen(play(MIDI.map((midi) => ({ midi: midi + 0.4 }))));
    // In equal temperament at 440 Hz, a note 40 cents sharp would have two thirds as much in the pitch class above.
    MIDI.slice(0, 5).forEach((midi, note) => {
      const { pitches } = segmentOfNote(segments, note);
      expect(pitches[midi % 12]).toBe(1);
      expect(pitches[(midi + 1) % 12]).toBeLessThan(0.5);
    });
  });

  it('are all strong in noise', () => {
    const segments = listen(makeNoise(4 * RATE_HZ, 0.2));
    const longest = segments.toSorted(
      (a, b) => b.endSeconds - b.startSeconds - (a.endSeconds - a.startSeconds),
    )[0]!;
    // The mean over twenty frames and about three bands of the middle register per class deviates by a few per cent.
    expect(longest.endSeconds - longest.startSeconds).toBeGreaterThan(2);
    expect(Math.max(...longest.pitches)).toBe(1);
    expect(Math.min(...longest.pitches)).toBeGreaterThan(0.8);
  });
});

describe('timbre', () => {
  const SAME_NOTE = [DULL, BRIGHT, DULL, BRIGHT].map((partials) => ({ midi: 60, partials }));

  it('differs between a bright and a dull tone of the same note, whereas pitches hardly do', () => {
    const segments = listen(play(SAME_NOTE));
    const [dull, bright] = [segmentOfNote(segments, 0), segmentOfNote(segments, 1)];
    expect(bright.timbre[1]! - dull.timbre[1]!).toBeGreaterThan(20);
    expect([dull.pitches.indexOf(1), bright.pitches.indexOf(1)]).toEqual([0, 0]);
    // The third partial of C is a G and the fifth an E, both weak.
    expectWithin(bright.pitches, dull.pitches, 0.1);
  });

  it('is the same for the same sound', () => {
    const segments = listen(play(SAME_NOTE));
    // Onsets are placed within a fraction of a 20 ms frame, so the two segments differ by a few samples.
    expectWithin(segmentOfNote(segments, 3).timbre, segmentOfNote(segments, 1).timbre, 1);
  });

  it('starts with the level: a note 10 dB louder has 10 more, and the shape is the same', () => {
    const quiet = { midi: 60, amplitude: 0.1 };
    const loud = { midi: 60, amplitude: 0.1 * 10 ** (10 / 20) };
    const segments = listen(play([quiet, loud, quiet, loud]));
    const [first, second] = [segmentOfNote(segments, 2), segmentOfNote(segments, 3)];
    expect(second.timbre[0]! - first.timbre[0]!).toBeCloseTo(10, 0);
    // As above; in addition, the first frame still hears the end of the louder note before it.
    expectWithin(second.timbre.slice(1), first.timbre.slice(1), 1);
  });

  it('has the level of the recording if that is a single segment: -9.03 dBFS for a sine at half of full scale', () => {
    const tone = Float32Array.from(
      { length: 3 * RATE_HZ },
      (_, n) => 0.5 * Math.sin((2 * Math.PI * 1000 * n) / RATE_HZ),
    );
    const segments = listen(tone);
    // A tone mirrored at its ends may be out of phase there, which lowers the level of the first and the last frame.
    expect(segmentOfNote(segments, 3).timbre[0]).toBeCloseTo(60 - 9.03, 0);
  });
});

describe('the gain of a recording', () => {
  it('changes the level of every segment, to within a rounding step, and nothing else', () => {
    const signal = play([60, 64, 67, 70, 74].map((midi) => ({ midi, partials: BRIGHT })));
    const before = listen(signal);
    const after = listen(signal.map((value) => value * 10 ** (-10 / 20)));
    expect(after).toHaveLength(before.length);
    before.forEach(({ pitches, timbre }, segment) => {
      expectWithin(after[segment]!.pitches, pitches, PITCH_STEP);
      const lowered = timbre.map((value, k) => (k === 0 ? value - 10 : value));
      expectWithin(after[segment]!.timbre, lowered, TIMBRE_STEP);
    });
  });
});

describe('a 16-bit recording', () => {
  it('attenuated by 10 dB and requantised differs by rounding noise only', () => {
    const quantise = (gain: number) => (value: number) => Math.round(value * gain * 32_768) / 32_768;
    const signal = play([60, 64, 67, 70, 74].map((midi) => ({ midi, partials: BRIGHT })));
    const before = listen(signal.map(quantise(1)));
    const after = listen(signal.map(quantise(10 ** (-10 / 20))));
    expect(after).toHaveLength(before.length);
    before.forEach(({ pitches, timbre }, segment) => {
      expectWithin(after[segment]!.pitches, pitches, PITCH_STEP);
      expect(after[segment]!.timbre[0]! - timbre[0]!).toBeCloseTo(-10, 1);
      // Rounding adds noise at -101 dBFS, which raises the weakest bands a little.
      expectWithin(after[segment]!.timbre.slice(1), timbre.slice(1), 1);
    });
  });
});

describe('silence', () => {
  it('before the first note is a separate segment, without level, shape or pitch', () => {
    const leadSeconds = 0.6;
    const segments = listen(play([{ midi: 60 }, { midi: 64 }], leadSeconds));
    expect(segments[0]).toMatchObject({ startSeconds: 0, onsetIndex: null });
    // Onsets lie on frames of 20 ms, and an attack may be found in the frame before or after it.
    expect(segments[0]!.endSeconds).toBeCloseTo(leadSeconds, 1);
    expect([...segments[0]!.pitches, ...segments[0]!.timbre].every((value) => value === 0)).toBe(true);
    expect(segmentOfNote(segments, 0, leadSeconds).pitches.indexOf(1)).toBe(0);
  });

  it('alone is one segment of zeros', () => {
    const segments = listen(new Float32Array(RATE_HZ));
    expect(segments).toHaveLength(1);
    expect([...segments[0]!.pitches, ...segments[0]!.timbre].every((value) => value === 0)).toBe(true);
  });

  it('of no length has no segments', () => {
    expect(listen(new Float32Array(0))).toEqual([]);
  });
});

it.each([['rhythm'], ['tonal']] as const)('segments are not described if only %s is requested', (feature) => {
  const result = analyse({ sampleRateHz: RATE_HZ, channelCount: 1 }, [{ channels: [play([{ midi: 60 }])] }], {
    features: [feature],
  });
  expect(result.supplement.segmentSounds).toBeNull();
});
