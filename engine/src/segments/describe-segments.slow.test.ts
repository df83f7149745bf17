import { describe, expect, it } from 'vitest';
import { analyse } from '../analyse.ts';
import type { AnalysisOptions } from '../result.ts';
import { makeNoise } from '../signal/test-signals.ts';
import { readSegmentSound } from './segment-sounds.ts';
import { listSegments } from './segment-spans.ts';

const RATE_HZ = 22_050;
const NOTE_SECONDS = 0.5;
/** How far apart nearly equal numbers may be after rounding to 255ths and fiftieths. */
const PITCH_STEP = 1 / 255 + 1e-9;
const TIMBRE_STEP = 1 / 50 + 1e-9;

type Note = { midi: number; amplitude?: number; partials?: readonly number[] };
const DULL = [1, 0.2, 0.05] as const;
/** The partials of a sawtooth, up to 8 kHz at C4. */
const BRIGHT = Array.from({ length: 30 }, (_, k) => 1 / (k + 1));

/** Notes of half a second in a row, each with an attack of 5 ms and a decay. */
function play(notes: readonly Note[], leadSeconds = 0): Float32Array {
  const lead = Math.round(leadSeconds * RATE_HZ);
  const noteSamples = NOTE_SECONDS * RATE_HZ;
  const out = new Float32Array(lead + notes.length * noteSamples);
  notes.forEach(({ midi, amplitude = 0.2, partials = DULL }, index) => {
    const hz = 440 * 2 ** ((midi - 69) / 12);
    for (let n = 0; n < noteSamples; n++) {
      const seconds = n / RATE_HZ;
      const swell = Math.min(1, seconds / 0.005, (NOTE_SECONDS - seconds) / 0.005) * Math.exp(-2 * seconds);
      let tone = 0;
      partials.forEach((level, k) => {
        tone += level * Math.sin(2 * Math.PI * hz * (k + 1) * seconds);
      });
      out[lead + index * noteSamples + n] = amplitude * swell * tone;
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
  const middle = leadSeconds + (note + 0.5) * NOTE_SECONDS;
  return segments.find(({ startSeconds, endSeconds }) => startSeconds <= middle && middle < endSeconds)!;
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

  it('are 1 for the pitch class of a note and less than half for all others', () => {
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
    // Without the tuning, notes 40 cents sharp would have two thirds as much in the pitch class above.
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
    // Twenty frames, with some three bands of the middle register in each class, leave a deviation of a few per cent.
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
    // Onsets are found to a fraction of a frame of 20 ms, so the two segments differ by a few samples.
    expectWithin(segmentOfNote(segments, 3).timbre, segmentOfNote(segments, 1).timbre, 1);
  });

  it('begins with the level: a note 10 dB louder has 10 more, and the rest is equal', () => {
    const quiet = { midi: 60, amplitude: 0.1 };
    const loud = { midi: 60, amplitude: 0.1 * 10 ** (10 / 20) };
    const segments = listen(play([quiet, loud, quiet, loud]));
    const [first, second] = [segmentOfNote(segments, 2), segmentOfNote(segments, 3)];
    expect(second.timbre[0]! - first.timbre[0]!).toBeCloseTo(10, 0);
    // As above; and the end of the louder note before it reaches into the first frame.
    expectWithin(second.timbre.slice(1), first.timbre.slice(1), 1);
  });

  it('has the level of the recording when it is one segment: a sine at half of full scale has -9.03 dBFS', () => {
    const tone = Float32Array.from(
      { length: 3 * RATE_HZ },
      (_, n) => 0.5 * Math.sin((2 * Math.PI * 1000 * n) / RATE_HZ),
    );
    const segments = listen(tone);
    // The mirrored ends of a tone may meet out of phase, which costs the first and the last frame some of their level.
    expect(segmentOfNote(segments, 3).timbre[0]).toBeCloseTo(60 - 9.03, 0);
  });
});

describe('the gain of a recording', () => {
  it('adds to the level of every segment, to within a rounding step, and changes nothing else', () => {
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

describe('a WAV file of 16 bits', () => {
  it('lowered by 10 dB and rounded again differs only by the rounding', () => {
    const toSixteenBits = (gain: number) => (value: number) => Math.round(value * gain * 32_768) / 32_768;
    const signal = play([60, 64, 67, 70, 74].map((midi) => ({ midi, partials: BRIGHT })));
    const before = listen(signal.map(toSixteenBits(1)));
    const after = listen(signal.map(toSixteenBits(10 ** (-10 / 20))));
    expect(after).toHaveLength(before.length);
    before.forEach(({ pitches, timbre }, segment) => {
      expectWithin(after[segment]!.pitches, pitches, PITCH_STEP);
      expect(after[segment]!.timbre[0]! - timbre[0]!).toBeCloseTo(-10, 1);
      // Rounding adds noise at -101 dBFS, which lifts the weakest bands a little.
      expectWithin(after[segment]!.timbre.slice(1), timbre.slice(1), 1);
    });
  });
});

describe('silence', () => {
  it('before the first note is a segment of its own, without level, shape or pitch', () => {
    const leadSeconds = 0.6;
    const segments = listen(play([{ midi: 60 }, { midi: 64 }], leadSeconds));
    expect(segments[0]).toMatchObject({ startSeconds: 0, onsetIndex: null });
    expect(segments[0]!.endSeconds).toBeCloseTo(leadSeconds, 1);
    expect([...segments[0]!.pitches, ...segments[0]!.timbre].every((value) => value === 0)).toBe(true);
    expect(segmentOfNote(segments, 0, leadSeconds).pitches.indexOf(1)).toBe(0);
  });

  it('alone is one segment of zeros', () => {
    const segments = listen(new Float32Array(RATE_HZ));
    expect(segments).toHaveLength(1);
    expect([...segments[0]!.pitches, ...segments[0]!.timbre].every((value) => value === 0)).toBe(true);
  });

  it('of no length has no segment', () => {
    expect(listen(new Float32Array(0))).toEqual([]);
  });
});

it.each([['rhythm'], ['tonal']] as const)('%s alone describes no segments', (feature) => {
  const result = analyse({ sampleRateHz: RATE_HZ, channelCount: 1 }, [{ channels: [play([{ midi: 60 }])] }], {
    features: [feature],
  });
  expect(result.supplement.segmentSounds).toBeNull();
});
