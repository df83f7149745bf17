import { expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

it.each([
  ['text', bytesOf('Für Elise'), 'Für Elise'],
  ['nothing', bytesOf(''), ''],
  ['text with a byte order mark, which is kept', bytesOf('\uFEFFpath;bpm'), '\uFEFFpath;bpm'],
  ['bytes that are not UTF-8', Uint8Array.of(0x50, 0x4b, 0xff), null],
  ['the header of a MIDI file, which is UTF-8', bytesOf('MThd\0\0\0\u0006'), null],
])('decodes %s', (_, bytes, text) => {
  expect(decodeText(bytes)).toBe(text);
});
