import { expect, it } from 'vitest';
import { type MidiEvent, writeMidiFile } from './midi-file.ts';

/** The bytes of one track after its header, in hexadecimal. */
function trackOf(...events: MidiEvent[]): string {
  const bytes = Buffer.from(writeMidiFile({ ticksPerBeat: 480, tracks: [events] }));
  expect(bytes.readUInt32BE(18)).toBe(bytes.length - 22);
  return bytes.toString('hex', 22);
}
const END_OF_TRACK = '00ff2f00';

// The bytes as the Standard MIDI Files specification 1.0 spells them out.
it.each<[string, MidiEvent['event'], string]>([
  ['a name', { kind: 'name', text: 'A' }, 'ff030141'],
  ['a text in UTF-8', { kind: 'text', text: 'é' }, 'ff0102c3a9'],
  ['a marker', { kind: 'marker', text: 'B' }, 'ff060142'],
  ['a tempo of 120 BPM', { kind: 'tempo', microsecondsPerBeat: 500_000 }, 'ff510307a120'],
  ['a meter of 7/4', { kind: 'meter', beatsPerBar: 7 }, 'ff580407021808'],
  ['the key of Eb minor, six flats', { kind: 'key', sharps: -6, minor: true }, 'ff5902fa01'],
  ['the key of G major', { kind: 'key', sharps: 1, minor: false }, 'ff59020100'],
  ['a note on channel 10', { kind: 'note', channel: 9, pitchMidi: 76, velocity: 112 }, '994c70'],
  // 1:02:03 and half a second: 15 frames of 30 per second, with the rate in bits 5 and 6 of the hour.
  ['an offset', { kind: 'offset', seconds: 3723.5 }, 'ff540561 02 03 0f 00'.replaceAll(' ', '')],
])('writes %s', (_, event, bytes) => {
  expect(trackOf({ tick: 0, event })).toBe(`00${bytes}${END_OF_TRACK}`);
});

it.each([
  [0x7f, '7f'],
  [0x80, '8100'],
  [0x3fff, 'ff7f'],
  [0x4000, '818000'],
])('writes a distance of %i ticks with seven bits per byte', (tick, distance) => {
  expect(trackOf({ tick, event: { kind: 'marker', text: '' } })).toBe(`${distance}ff0600${END_OF_TRACK}`);
});

it('orders events by time, and keeps the order of those at one time', () => {
  const marker = (tick: number, text: string): MidiEvent => ({ tick, event: { kind: 'marker', text } });
  expect(trackOf(marker(2, 'C'), marker(1, 'A'), marker(1, 'B'))).toBe(
    `01ff060141${'00ff060142'}${'01ff060143'}${END_OF_TRACK}`,
  );
});
