import { describe, expect, it } from 'vitest';
import { writeMidi } from './midi.ts';
import { SONG } from './song-fixture.ts';

/**
 * A reader of the few events we write, apart from the writer. The same bytes were read by PyPI mido, whose clock put
 * every click on its beat.
 */
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

describe('writeMidi', () => {
  const bytes = Buffer.from(writeMidi(SONG));
  const map = readTrack(bytes, 0);
  const ofType = (type: number) => map.filter((event) => event.type === type);

  it('is a format 1 file of two tracks at 480 ticks', () => {
    expect(bytes.subarray(0, 14).toString('hex')).toBe(`4d546864${'00000006'}${'0001'}${'0002'}${'01e0'}`);
  });

  it('puts every click on its beat when its own tempos are followed', () => {
    const tempos = ofType(0x51).map(({ tick, body }) => ({ tick, microseconds: body.readUIntBE(0, 3) }));
    const secondsAt = (tick: number) => {
      let seconds = 0;
      for (const [index, tempo] of tempos.entries()) {
        const until = Math.min(tick, tempos[index + 1]?.tick ?? Number.POSITIVE_INFINITY);
        if (until > tempo.tick) seconds += ((until - tempo.tick) / 480) * (tempo.microseconds / 1e6);
      }
      return seconds;
    };
    const clicks = readTrack(bytes, 1).filter((event) => event.type === 0x99 && event.body[1]! > 0);
    const beats = SONG.document.rhythm!.beats;
    expect(clicks).toHaveLength(beats.length);
    for (const [index, click] of clicks.entries()) {
      // Tempos are whole microseconds per beat and their rounding does not add up.
      expect(Math.abs(secondsAt(click.tick) - beats[index]!.time_seconds)).toBeLessThan(2e-6);
      expect(click.body[0]).toBe(beats[index]!.beat_in_bar === 1 ? 76 : 77);
    }
  });

  it('writes the lead-in as a bar of its own, so that later bars fall on downbeats', () => {
    expect(ofType(0x58).map(({ tick, body }) => [tick, body[0], 2 ** body[1]!])).toEqual([
      [0, 2, 4],
      [960, 4, 4],
    ]);
  });

  it('names sections and keys where they begin', () => {
    expect(ofType(0x06).map(({ tick, body }) => [tick, body.toString()])).toEqual([
      [2 * 480, 'verse (A)'],
      [18 * 480, 'pre-chorus (B)'],
    ]);
    expect(ofType(0x59).map(({ tick, body }) => [tick, body.readInt8(0), body[1]])).toEqual([
      [0, 0, 1],
      [18 * 480, 0, 0],
    ]);
  });
});
