import { describe, expect, it } from 'vitest';
import { type ExportSource, ExportUnavailable } from './export-source.ts';
import { writeMidi } from './midi.ts';
import { SONG } from './test-song.ts';

/** A reader of the events that we write, independent of the writer. In exports/readers mido and music21 read such files too. */
function readTrack(bytes: Buffer, trackIndex: number) {
  let offset = 14;
  for (let skipped = 0; skipped < trackIndex; skipped++) offset += 8 + bytes.readUInt32BE(offset + 4);
  expect(bytes.toString('latin1', offset, offset + 4)).toBe('MTrk');
  const end = offset + 8 + bytes.readUInt32BE(offset + 4);
  const events: { tick: number; type: number; body: Buffer }[] = [];
  let tick = 0;
  let at = offset + 8;
  const number = () => {
    let value = 0;
    for (;;) {
      const byte = bytes[at++]!;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  };
  while (at < end) {
    tick += number();
    const status = bytes[at++]!;
    const type = status === 0xff ? bytes[at++]! : status;
    const length = status === 0xff ? number() : 2;
    events.push({ tick, type, body: bytes.subarray(at, at + length) });
    at += length;
  }
  expect(at).toBe(end);
  expect(events.at(-1)).toMatchObject({ type: 0x2f });
  return events;
}

/** A song with beats at 120 BPM from 1 s on, at these places in their bars. */
function countedAs(...beatsInBar: number[]): ExportSource {
  const beats = beatsInBar.map((beat_in_bar, index) => ({
    ...{ time_seconds: 1 + index / 2, confidence: 0.9, bar: 0 },
    beat_in_bar,
  }));
  return { ...SONG, document: { ...SONG.document, rhythm: { ...SONG.document.rhythm!, beats } } };
}

/** The pickup and the first four bars, which have one tempo. */
const steadySong: ExportSource = {
  ...SONG,
  document: {
    ...SONG.document,
    rhythm: {
      ...SONG.document.rhythm!,
      beats: SONG.document.rhythm!.beats.slice(0, 17).map((beat, index) => ({
        ...beat,
        // Off by a hundredth of a second in turn, as beat trackers are.
        time_seconds: beat.time_seconds + (index % 2 === 0 ? 0.01 : -0.01),
      })),
    },
  },
};

describe('writeMidi', () => {
  const bytes = Buffer.from(writeMidi(SONG));
  const map = readTrack(bytes, 0);
  const ofType = (type: number, events = map) => events.filter((event) => event.type === type);
  /** Beats from the first downbeat on, at 0.75 s. */
  const beats = SONG.document.rhythm!.beats.slice(1);

  it('is a format 1 file of three tracks at 480 ticks', () => {
    expect(bytes.subarray(0, 14).toString('hex')).toBe(`4d546864${'00000006'}${'0001'}${'0003'}${'01e0'}`);
  });

  it('starts with bar 1 and gives its position in the audio', () => {
    expect(ofType(0x58).map(({ tick, body }) => [tick, body[0], 2 ** body[1]!])).toEqual([[0, 4, 4]]);
    expect(readTrack(bytes, 1).find((event) => event.type === 0x99)).toMatchObject({ tick: 0 });
    // At 30 frames per second, 0.75 s are 22 frames and a half.
    expect([...ofType(0x54)[0]!.body]).toEqual([0x60, 0, 0, 22, 50]);
    expect(ofType(0x01)[0]!.body.toString()).toBe('Bar 1 is at 0.750 s of the audio');
  });

  it.each([
    ['a downbeat', [4, 1, 2], '1.500'],
    ['no downbeat', [2, 3, 4], '1.000'],
    ['a downbeat only at its end', [3, 4, 1], '1.000'],
  ])('has bar 1 of a song with %s at the first beat that may begin it', (_, beatsInBar, seconds) => {
    const events = readTrack(Buffer.from(writeMidi(countedAs(...beatsInBar))), 0);
    expect(ofType(0x01, events)[0]!.body.toString()).toBe(`Bar 1 is at ${seconds} s of the audio`);
  });

  it.each([
    [
      'where it changes',
      [1, 2, 3, 4, 1, 2, 3, 1, 2, 3],
      [
        [0, 4],
        [4, 3],
      ],
    ],
    ['not for a last bar that is cut short', [1, 2, 3, 4, 1, 2, 3, 4, 1, 2], [[0, 4]]],
    [
      'for a last bar that is longer',
      [1, 2, 3, 1, 2, 3, 1, 2, 3, 4],
      [
        [0, 3],
        [6, 4],
      ],
    ],
  ])('writes the meter %s', (_, beatsInBar, meters) => {
    const events = readTrack(Buffer.from(writeMidi(countedAs(...beatsInBar))), 0);
    expect(ofType(0x58, events).map(({ tick, body }) => [tick / 480, body[0]])).toEqual(meters);
  });

  it('is not available with fewer than two beats', () => {
    expect(() => writeMidi(countedAs(1))).toThrow(ExportUnavailable);
  });

  it('puts every click on its beat when its own tempos are followed', () => {
    const tempos = ofType(0x51).map(({ tick, body }) => ({ tick, microseconds: body.readUIntBE(0, 3) }));
    const secondsAt = (tick: number) => {
      let seconds = 0.75;
      for (const [index, tempo] of tempos.entries()) {
        const until = Math.min(tick, tempos[index + 1]?.tick ?? Number.POSITIVE_INFINITY);
        if (until > tempo.tick) seconds += ((until - tempo.tick) / 480) * (tempo.microseconds / 1e6);
      }
      return seconds;
    };
    const clicks = readTrack(bytes, 1).filter((event) => event.type === 0x99 && event.body[1]! > 0);
    expect(clicks).toHaveLength(beats.length);
    for (const [index, click] of clicks.entries()) {
      // Tempos are whole microseconds per beat, and their rounding errors do not add up.
      expect(Math.abs(secondsAt(click.tick) - beats[index]!.time_seconds)).toBeLessThan(2e-6);
      expect(click.body[0]).toBe(beats[index]!.beat_in_bar === 1 ? 76 : 77);
    }
  });

  it('has one tempo for a steady song', () => {
    const steady = readTrack(Buffer.from(writeMidi(steadySong)), 0);
    const tempos = ofType(0x51, steady);
    expect(tempos).toHaveLength(1);
    // Errors of 10 ms in turn tilt the least-squares line through the sixteen beats of the bars by 0.08 / 340 s a beat.
    expect(tempos[0]!.body.readUIntBE(0, 3)).toBe(500_235);
    // So the line begins seven and a half beats before the middle of the song, 4.5 s.
    expect(ofType(0x01, steady)[0]!.body.toString()).toBe('Bar 1 is at 0.748 s of the audio');
    // From each of the 24 beats to the next.
    expect(ofType(0x51)).toHaveLength(23);
  });

  it('counts the beats of a pause, without clicks', () => {
    const source = countedAs(1, 2, 3, 4, 1);
    const timesSeconds = [1, 1.5, 2, 4, 4.5];
    source.document.rhythm!.beats.forEach((beat, index) => {
      beat.time_seconds = timesSeconds[index]!;
    });
    const clicks = readTrack(Buffer.from(writeMidi(source)), 1).filter(
      ({ type, body }) => type === 0x99 && body[1]! > 0,
    );
    expect(clicks.map(({ tick }) => tick / 480)).toEqual([0, 1, 2, 6, 7]);
  });

  it('leaves out sections and keys that end before bar 1', () => {
    const { structure, tonal } = SONG.document;
    const before = { start_seconds: 0, end_seconds: 0.75 };
    const sections = structure!.sections.map((section, index) =>
      index === 0 ? { ...section, ...before } : section,
    );
    const key_changes = tonal!.key_changes.map((span, index) =>
      index === 0 ? { ...span, ...before } : span,
    );
    const document = {
      ...SONG.document,
      structure: { ...structure!, sections },
      tonal: { ...tonal!, key_changes },
    };
    const events = readTrack(Buffer.from(writeMidi({ ...SONG, document })), 0);
    expect([0x06, 0x59].map((type) => ofType(type, events).map(({ tick }) => tick))).toEqual([
      [7680],
      [7680],
    ]);
  });

  it('names sections and keys where they begin', () => {
    expect(ofType(0x06).map(({ tick, body }) => [tick, body.toString()])).toEqual([
      [0, 'verse (A)'],
      [16 * 480, 'pre-chorus (B)'],
    ]);
    expect(ofType(0x59).map(({ tick, body }) => [tick, body.readInt8(0), body[1]])).toEqual([
      [0, 0, 1],
      [16 * 480, 0, 0],
    ]);
  });

  it('moves a chord within an eighth of a beat to the beat, and leaves others where they are', () => {
    const [, chord] = SONG.document.tonal!.chords_sevenths;
    // 60 and 70 ms after the beats at 1.25 and 1.75 s: 58 and 67 ticks of 480, of which an eighth are 60.
    const spans = [
      { start_seconds: 1.31, end_seconds: 1.82 },
      { start_seconds: 1.82, end_seconds: 3 },
    ];
    const tonal = { ...SONG.document.tonal!, chords_sevenths: spans.map((span) => ({ ...chord!, ...span })) };
    const moved = readTrack(Buffer.from(writeMidi({ ...SONG, document: { ...SONG.document, tonal } })), 2);
    expect(ofType(0x01, moved).map(({ tick }) => tick)).toEqual([480, 960 + 67]);
  });

  it('plays the chords, with their names', () => {
    const chords = readTrack(bytes, 2);
    expect(ofType(0x01, chords).map(({ tick, body }) => [tick, body.toString()])).toEqual([
      [0, 'Am7'],
      [16 * 480, 'C/E'],
    ]);
    const begun = (tick: number) =>
      ofType(0x90, chords)
        .filter((event) => event.tick === tick && event.body[1]! > 0)
        .map(({ body }) => body[0]);
    expect(begun(0)).toEqual([45, 57, 60, 64, 67]);
    expect(begun(16 * 480)).toEqual([40, 48, 52, 55]);
    const ended = ofType(0x90, chords).filter((event) => event.body[1] === 0);
    expect(ended.map(({ tick }) => tick)).toEqual([
      ...new Array(5).fill(16 * 480),
      ...new Array(4).fill(24.25 * 480),
    ]);
  });
});
