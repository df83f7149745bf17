import { describe, expect, it } from 'vitest';
import { readAnalyzeOptions } from './analyze-options.ts';
import { CSV_HEADER, csvRowOf } from './csv.ts';
import { createPrinter } from './printer.ts';
import type { Outcome } from './song.ts';

const failed = (path: string): Outcome => ({ path, error: 'This is not an audio file.' });
const line = (path: string) => `${JSON.stringify(failed(path))}\n`;

function startPrinter(args: string[], songCount: number) {
  const printed: string[] = [];
  const printer = createPrinter(readAnalyzeOptions(['songs', ...args]), songCount, (text) => {
    printed.push(String(text));
  });
  return { printer, printed };
}

describe('lines of JSON', () => {
  it('are printed in the order of the songs, each as soon as all before it are printed', async () => {
    const { printer, printed } = startPrinter(['--json'], 3);
    await printer.add(1, failed('b.mp3'));
    expect(printed).toEqual([]);
    await printer.add(0, failed('a.mp3'));
    expect(printed).toEqual([line('a.mp3'), line('b.mp3')]);
    await printer.add(2, failed('c.mp3'));
    printer.finish();
    expect(printed).toEqual([line('a.mp3'), line('b.mp3'), line('c.mp3')]);
  });

  it('are all printed in the end, even when a song before them was never analysed', async () => {
    const { printer, printed } = startPrinter(['--json'], 4);
    await printer.add(3, failed('d.mp3'));
    await printer.add(1, failed('b.mp3'));
    printer.finish();
    expect(printed).toEqual([line('b.mp3'), line('d.mp3')]);
  });
});

it('prints the table at the end, without rows for songs that were never analysed', async () => {
  const { printer, printed } = startPrinter([], 3);
  await printer.add(2, failed('c.mp3'));
  await printer.add(0, failed('a.mp3'));
  expect(printed).toEqual([]);
  printer.finish();
  const [header, ...rows] = printed.join('').trimEnd().split('\n');
  expect(header).toMatch(/^file +length +bpm/);
  expect(rows).toEqual(['a.mp3: This is not an audio file.', 'c.mp3: This is not an audio file.']);
});

it('writes the CSV table in the order of the songs, whichever is done first', async () => {
  const { printer, printed } = startPrinter(['--csv', '-'], 2);
  await printer.add(1, failed('b.mp3'));
  await printer.add(0, failed('a.mp3'));
  printer.finish();
  expect(printed).toEqual([[CSV_HEADER, csvRowOf(failed('a.mp3')), csvRowOf(failed('b.mp3'))].join('')]);
});

it('explains why the song to be exported failed', async () => {
  const { printer, printed } = startPrinter(['--format', 'jams'], 1);
  await printer.add(0, failed('a.mp3'));
  printer.finish();
  expect(printed.join('')).toContain('a.mp3: This is not an audio file.');
});
