import { describe, expect, it } from 'vitest';
import type { TrackedBeat } from './bar-tracker.ts';
import { placeBeats } from './beat-times.ts';
import { makeActivation, makeBeats, type TestBeat } from './test-rhythms.ts';

const WHOLE = { startSeconds: 0, endSeconds: 20 };

function place(beats: readonly TestBeat[], heard: readonly TestBeat[] = beats, sound = WHOLE) {
  const tracked = heard.map(
    ({ timeSeconds, placeInBar }): TrackedBeat => ({
      frame: Math.round(timeSeconds * 50),
      placeInBar,
      beatsPerBar: 4,
      periodFrames: 25,
    }),
  );
  return placeBeats(tracked, makeActivation(beats, 20), sound);
}

const steady = (options: { bpm?: number; startSeconds?: number; endSeconds?: number } = {}): TestBeat[] =>
  makeBeats({ bpm: 120, beatsPerBar: 4, endSeconds: 20, startSeconds: 0.013, ...options });

describe('placeBeats', () => {
  it('finds times between the frames', () => {
    const beats = steady({ bpm: 117.7 });
    place(beats).forEach((beat, index) => {
      // Each bump is a parabola, so three samples of it give its top exactly, up to 32-bit rounding.
      expect(beat.timeSeconds).toBeCloseTo(beats[index]!.timeSeconds, 4);
    });
  });

  it.each([
    [2, 0.06, 3.5],
    [3, 0.06, 3.56],
    [2, 0.04, 3.54],
  ])('moves a beat to a peak %i frames away, of %d: to %d s', (awayFrames, height, expectedSeconds) => {
    const beats = makeBeats({ bpm: 120, beatsPerBar: 4, endSeconds: 20 });
    const activation = makeActivation(
      beats.filter(({ timeSeconds }) => timeSeconds !== 3.5),
      20,
    );
    activation.beat[175] = height;
    const tracked = beats.map(({ timeSeconds, placeInBar }) => ({
      frame: 50 * timeSeconds + (timeSeconds === 3.5 ? awayFrames : 0),
      placeInBar,
      beatsPerBar: 4,
      periodFrames: 25,
    }));
    const placed = placeBeats(tracked, activation, WHOLE);
    const seventh = placed.find(({ timeSeconds }) => timeSeconds > 3.2)!;
    expect(seventh.timeSeconds).toBeCloseTo(expectedSeconds, 4);
  });

  it('counts through a rest when the beats on either side agree', () => {
    const beats = steady();
    const heard = beats.filter((_, index) => index < 10 || index >= 18);
    const placed = place(heard, heard);
    expect(placed).toHaveLength(beats.length);
    expect(placed.map((beat) => beat.placeInBar)).toEqual(beats.map((beat) => beat.placeInBar));
    expect(placed[12]).toMatchObject({ beatActivation: 0, downbeatActivation: 0 });
    expect(placed[12]!.timeSeconds).toBeCloseTo(beats[12]!.timeSeconds, 4);
  });

  it.each([
    [8, 8],
    [8, 4],
    [5, 4],
    [4, 8],
    [2, 8],
  ])('counts through every rest of music that plays %i beats and rests for %i', (playedBeats, restBeats) => {
    const beats = steady({ bpm: 240 });
    const heard = beats.filter((_, index) => index % (playedBeats + restBeats) < playedBeats);
    for (const tracked of [beats, heard]) {
      const placed = place(heard, tracked);
      expect(placed.map(({ placeInBar }) => placeInBar)).toEqual(beats.map(({ placeInBar }) => placeInBar));
      placed.forEach(({ timeSeconds }, index) => {
        // Fewer than four inaudible beats at the end stay on the frames where they were tracked: half a frame.
        expect(Math.abs(timeSeconds - beats[index]!.timeSeconds)).toBeLessThan(0.01);
      });
    }
  });

  it('counts slower parts at their own tempo', () => {
    const beats = [
      ...makeBeats({ bpm: 60, beatsPerBar: 4, startSeconds: 0.1, endSeconds: 6 }),
      ...makeBeats({ bpm: 120, beatsPerBar: 4, startSeconds: 6.1, endSeconds: 14 }),
      ...makeBeats({ bpm: 60, beatsPerBar: 4, startSeconds: 14.1, endSeconds: 20 }),
    ];
    // Counted back and on by two beats.
    const placed = place(beats.slice(2, -2));
    expect(placed).toHaveLength(beats.length);
    placed.forEach(({ timeSeconds }, index) => {
      expect(timeSeconds).toBeCloseTo(beats[index]!.timeSeconds, 4);
    });
  });

  it.each([1, 2])('counts back and on at the tempo of the nearest %i beats, between rests', (count) => {
    const lone = (startSeconds: number) =>
      steady({ startSeconds, endSeconds: startSeconds + count / 2 - 0.1 });
    // Neither rest is a whole number of beats.
    const heard = [...lone(1), ...steady({ startSeconds: 4.25, endSeconds: 12 }), ...lone(15)];
    const placed = place(heard);
    expect(placed[1]!.timeSeconds - placed[0]!.timeSeconds).toBeCloseTo(0.5, 4);
    expect(placed.at(-1)!.timeSeconds - placed.at(-2)!.timeSeconds).toBeCloseTo(0.5, 4);
  });

  it('counts on at the tempo of the last eight intervals', () => {
    const beats: TestBeat[] = [{ timeSeconds: 0.5, placeInBar: 0 }];
    const intervalsSeconds = [
      ...Array<number>(10).fill(0.6),
      ...Array<number>(4).fill(0.45),
      ...Array<number>(4).fill(0.55),
    ];
    for (const seconds of intervalsSeconds) {
      beats.push({ timeSeconds: beats.at(-1)!.timeSeconds + seconds, placeInBar: beats.length % 4 });
    }
    // Least squares over four intervals of 0.45 s and four of 0.55 s give 0.5 s.
    const counted = place(beats).find(({ timeSeconds }) => timeSeconds > 10.6)!;
    expect(counted.timeSeconds).toBeCloseTo(10.5 + 0.5, 3);
  });

  it('replaces four inaudible beats in a row by evenly spaced ones, but not three', () => {
    const beats = steady();
    const wandering = (count: number) =>
      beats.map((beat, index) =>
        index >= 10 && index < 10 + count ? { ...beat, timeSeconds: beat.timeSeconds + 0.2 } : beat,
      );
    const heard = (count: number) => beats.filter((_, index) => index < 10 || index >= 10 + count);
    const placed = place(heard(4), wandering(4));
    expect(placed).toHaveLength(beats.length);
    // Interpolated between two heard beats five periods apart.
    expect(placed[11]!.timeSeconds).toBeCloseTo(beats[11]!.timeSeconds, 4);
    // Three stay on the frames where they were tracked.
    expect(place(heard(3), wandering(3))[11]!.timeSeconds).toBe(
      Math.round((beats[11]!.timeSeconds + 0.2) * 50) / 50,
    );
  });

  it('counts through a rest of 32 beats, in which 31 are missing, and not through a longer one', () => {
    const beats = makeBeats({ bpm: 240, beatsPerBar: 4, startSeconds: 0.1, endSeconds: 20 });
    const heardWithout = (count: number) => beats.filter((_, index) => index < 10 || index >= 10 + count);
    const placedWithout = (count: number) => place(heardWithout(count)).length;
    expect([placedWithout(31), placedWithout(32)]).toEqual([beats.length, beats.length - 32]);
  });

  it('counts a single missing beat', () => {
    const beats = steady();
    const heard = beats.filter((_, index) => index !== 10);
    expect(place(heard, heard)[10]!.timeSeconds).toBeCloseTo(beats[10]!.timeSeconds, 4);
  });

  it.each([
    ['a quarter of a beat more than four', 4.24, 3],
    ['more than that', 4.26, 0],
    ['a quarter of a beat less than four', 3.76, 3],
    ['less than that', 3.74, 0],
  ])('counts through a rest of a whole number of beats, or nearly so: %s', (_, restBeats, countedBeats) => {
    const first = steady({ endSeconds: 5 });
    const startSeconds = first.at(-1)!.timeSeconds + restBeats / 2;
    const second = steady({ startSeconds });
    expect(place([...first, ...second])).toHaveLength(first.length + countedBeats + second.length);
  });

  it('counts back to where the sound begins and on to where it ends', () => {
    const beats = steady();
    const heard = beats.slice(8, 30);
    const all = place(heard, heard);
    expect(all).toHaveLength(beats.length);
    expect(all.map((beat) => beat.placeInBar)).toEqual(beats.map((beat) => beat.placeInBar));
    const inside = place(heard, heard, { startSeconds: 2.2, endSeconds: 17 });
    expect(inside[0]!.timeSeconds).toBeCloseTo(2.513, 4);
    expect(inside.at(-1)!.timeSeconds).toBeCloseTo(16.513, 4);
  });

  it('counts back to a beat up to a quarter of a beat before the sound', () => {
    const heard = steady().slice(8);
    const firstFrom = (startSeconds: number) => place(heard, heard, { startSeconds, endSeconds: 20 })[0]!;
    expect(firstFrom(2.513 + 0.12).timeSeconds).toBeCloseTo(2.513, 4);
    expect(firstFrom(2.513 + 0.13).timeSeconds).toBeCloseTo(3.013, 4);
  });

  it('counts 32 beats back and on, and not more', () => {
    const heard = makeBeats({ bpm: 240, beatsPerBar: 4, startSeconds: 9, endSeconds: 11 });
    const placed = place(heard);
    expect(placed).toHaveLength(32 + heard.length + 32);
    expect(placed[0]!.timeSeconds).toBeCloseTo(9 - 32 / 4, 4);
  });

  it('places no beats where none were tracked', () => {
    expect(place([], [])).toEqual([]);
  });
});
