import { inflateSync } from 'node:zlib';
import type { Visuals } from '@earshot/engine';
import PDFDocument from 'pdfkit';
import { describe, expect, it, vi } from 'vitest';
import { SONG } from '../test-song.ts';
import { heatmapToPng } from './heatmap-png.ts';
import { writeReportHtml } from './report-html.ts';
import { writeReportPdf } from './report-pdf.ts';
import { describeResult } from './sentences.ts';

const visuals: Visuals = {
  spectrogram: {
    rowCount: 2,
    columnCount: 3,
    secondsPerColumn: 5,
    values: Uint8Array.of(0, 64, 128, 192, 224, 255),
  },
  chromagram: { rowCount: 12, columnCount: 2, secondsPerColumn: 8, values: new Uint8Array(24).fill(99) },
};

const CURVE = { hop_seconds: 1, start_seconds: 0, values: [1] };
/** A recording without faults. */
const QUALITY: NonNullable<typeof SONG.document.quality> = {
  events: [],
  event_counts: { clipping: 0, dropout: 0, silence: 0, click: 0 },
  dc_offset: [0.0001, 0],
  noise_floor_dbfs: -80,
  hum: null,
  bandwidth_hz: 20_000,
  lossy_transcode: { verdict: 'unlikely', cutoff_hz: null, confidence: 0.8 },
  stereo: {
    correlation: 0.6,
    width: 0.2,
    correlation_curve: CURVE,
    width_curve: CURVE,
    mono_loss_db: 1,
    imbalance_db: 0.3,
    phase_inverted: false,
  },
  non_finite_samples: 0,
};

const DRAWN = { ...SONG, supplement: { visuals, segmentSounds: null } };

describe('report', () => {
  it('loads nothing and has no script', () => {
    const html = writeReportHtml(DRAWN);
    const addresses = [...html.matchAll(/(?:src|href|url)\s*[=(]\s*["']?([^"')\s>]+)/g)].map(
      (match) => match[1],
    );
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect(address).toMatch(/^data:/);
    expect(html).not.toMatch(/<script|@import/i);
  });

  it('escapes a title and the group of a corrected section', () => {
    const source = structuredClone(DRAWN);
    source.document.file.tags.title = '<img src=x onerror=alert(1)> & "more"';
    source.document.structure!.sections[0]!.group = '<s>';
    const html = writeReportHtml(source);
    expect(html).not.toMatch(/<img|<s>/);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('describes tempo, key and form in sentences', () => {
    const sentences = describeResult(SONG.document).join(' ');
    expect(sentences).toContain('The tempo is 120.0 BPM in 4/4');
    expect(sentences).toContain(
      'The key is probably A minor (8A on the Camelot wheel). C major is the next best guess.',
    );
    expect(sentences).toContain('The form reads AB, 2 sections in all.');
  });

  it('spells keys as charts and the dashboard do: Db major, G# minor', () => {
    const source = structuredClone(DRAWN);
    const { document } = source;
    Object.assign(document, { key: 'C#', scale: 'major', key_notation: 'C#', camelot: '3B' });
    document.tonal!.alternatives = [{ ...document.tonal!.alternatives[0]!, key: 'Ab', scale: 'minor' }];
    document.structure!.sections[0]!.key = 'Abm';
    expect(describeResult(document).join(' ')).toContain(
      'The key is probably Db major (3B on the Camelot wheel). G# minor is the next best guess.',
    );
    const html = writeReportHtml(source);
    expect(html).toContain('<dt>Key</dt><dd>Db<');
    expect(html).toContain('<td>G#m</td>');
  });

  it('gives the number of sections of an hour-long set instead of its form', () => {
    const source = structuredClone(SONG);
    const [section] = source.document.structure!.sections;
    source.document.structure!.sections = Array.from({ length: 160 }, () => section!);
    expect(describeResult(source.document).join(' ')).toContain('There are 160 sections.');
    expect(describeResult(source.document).join(' ')).not.toContain('The form reads');
  });

  it('names the faults of a recording', () => {
    const lastSentences = (quality: typeof QUALITY) => describeResult({ ...SONG.document, quality }).at(-1);
    expect(lastSentences(QUALITY)).toBe('No clipping, clicks or dropouts were found.');
    expect(
      lastSentences({
        ...QUALITY,
        dc_offset: [-0.1, 0.002],
        hum: { frequency_hz: 50, level_dbfs: -48.2, confidence: 0.9 },
        stereo: { ...QUALITY.stereo!, phase_inverted: true, mono_loss_db: 22.5, imbalance_db: -6.02 },
      }),
    ).toBe(
      'No clipping, clicks or dropouts were found. Its DC offset is 10.0 % of full scale. It hums at 50 Hz, −48.2 dBFS. Its right channel is 6.0 dB louder than its left.' +
        ' Its channels are in opposite phase: 22.5 dB are lost in mono.',
    );
  });

  it('explains a missing tempo if the channels cancel each other', () => {
    const quality = { ...QUALITY, stereo: { ...QUALITY.stereo!, phase_inverted: true } };
    const unavailable = { 'rhythm.bpm': 'silence' } as const;
    expect(describeResult({ ...SONG.document, bpm: null, quality, unavailable })[0]).toBe(
      'No tempo is given: its channels cancel each other in mono, where the music is heard.',
    );
  });

  it('explains the colours only if there are sections', () => {
    const source = structuredClone(DRAWN);
    expect(writeReportHtml(source)).toContain('2 sections; the same colour means the same music');
    source.document.structure!.sections = [];
    expect(writeReportHtml(source)).not.toContain('same colour');
  });

  it('names another possible tempo if it is unsure, and never the same one', () => {
    const document = structuredClone(SONG.document);
    document.bpm_confidence = 0.3;
    document.rhythm!.alternatives = [
      { bpm: 120, weight: 0.6 },
      { bpm: 60, weight: 0.4 },
    ];
    expect(describeResult(document).join(' ')).toContain('It could also be felt at 60.0.');
    document.rhythm!.alternatives = [{ bpm: 120, weight: 1 }];
    expect(describeResult(document).join(' ')).not.toContain('felt at');
  });

  it('is a PDF with the same bytes each time', async () => {
    const [first, second] = [await writeReportPdf(DRAWN), await writeReportPdf(DRAWN)];
    expect(Buffer.from(first).subarray(0, 5).toString()).toBe('%PDF-');
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
  });

  it('has the artist from the library, in the PDF and on the page', async () => {
    const source = { ...DRAWN, names: { title: null, artist: 'Zoë Kravchenko', album: null } };
    const spy = vi.spyOn(PDFDocument.prototype, 'text');
    await writeReportPdf(source);
    const written = spy.mock.calls.map(([text]) => text);
    spy.mockRestore();
    expect(written).toContain('Zoë Kravchenko');
    expect(writeReportHtml(source)).toContain('Zoë Kravchenko');
  });

  it.each([
    { title: 'שלום עולם (remix)', written: '(remix) םלוע םולש' },
    { title: 'Night 🌃🏽 Drive 👨‍👩‍👧 東京', written: 'Night Drive' },
  ])('has the title $title as $written in the PDF', async ({ title, written }) => {
    const source = { ...DRAWN, names: { title, artist: null, album: null } };
    expect(lettersOf(await writeReportPdf(source))).toMatch(written);
  });

  it('has another name in the PDF if its font lacks every letter of the title', async () => {
    const source = { ...DRAWN, names: { title: '東京', artist: '🎧', album: null }, fileName: 'tokyo.flac' };
    const letters = lettersOf(await writeReportPdf(source));
    expect(letters).toMatch('tokyo.flac');
    expect(letters).not.toContain('\uFFFD');
  });

  it('breaks a long title from right to left into lines, of which the first begins with the first word', async () => {
    const title = Array.from({ length: 40 }, () => 'שיר')
      .join(' ')
      .replace('שיר', 'עולם');
    const source = { ...DRAWN, names: { title, artist: null, album: null } };
    const lines = lettersOf(await writeReportPdf(source))
      .split('\n')
      .filter((line) => /\p{sc=Hebr}/u.test(line));
    expect(lines.length).toBeGreaterThan(1);
    expect(lines[0]).toMatch(/^[ ריש]+ םלוע$/);
    expect(lines.join(' ').split(' ')).toHaveLength(40);
  });

  it('has no overlapping numbers at the head of the PDF, however long they are', async () => {
    const source = structuredClone(DRAWN);
    Object.assign(source.document, {
      ...{ bpm: 112, bpm_confidence: 0.98 },
      content: { ...source.document.content, voice_presence: 0.005 },
      tags: { ...source.document.tags, genres: [{ label: 'singer-songwriter', confidence: 0.5, spans: [] }] },
    });
    const boxes: { text: string; left: number; right: number; top: number; bottom: number }[] = [];
    const write = PDFDocument.prototype.text;
    const spy = vi.spyOn(PDFDocument.prototype, 'text').mockImplementation(function (
      this: PDFKit.PDFDocument,
      ...given
    ) {
      const [text, left, top, options] = given as [string, number?, number?, { width: number }?];
      if (options && left !== undefined && top !== undefined) {
        const width = Math.min(options.width, this.widthOfString(text));
        const bottom = top + this.heightOfString(text, options);
        boxes.push({ text, left, right: left + width, top, bottom });
      }
      return write.apply(this, given);
    });
    await writeReportPdf(source);
    spy.mockRestore();
    const head = boxes.slice(
      0,
      boxes.findIndex(({ text }) => text.startsWith('The tempo is')),
    );
    expect(head.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['112.00 BPM', '98 % sure', 'less than 1 % of the time']),
    );
    const over = head.filter((one) =>
      head.some(
        (other) =>
          other !== one &&
          Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0 &&
          Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1,
      ),
    );
    expect(over.map(({ text }) => text)).toEqual([]);
  });

  it('leaves out the pictures if there is no supplement', () => {
    expect(writeReportHtml(DRAWN)).toContain('Spectrogram');
    expect(writeReportHtml({ ...SONG, supplement: null })).not.toContain('Spectrogram');
  });
});

/** The letters of a PDF from left to right, line by line; U+FFFD is the box for a missing glyph. */
function lettersOf(pdf: Uint8Array): string {
  const file = Buffer.from(pdf);
  const streams = [...file.toString('latin1').matchAll(/\/FlateDecode\n>>\nstream\n/g)].map((match) =>
    inflateSync(file.subarray(match.index + match[0].length)).toString('latin1'),
  );
  const utf16 = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le');
  // From the glyphs of each font to letters, in the order in which the fonts are first used.
  const tables = streams
    .filter((stream) => stream.includes('begincmap'))
    .map((stream) =>
      [...stream.matchAll(/\[(<.*>)\]/g)].flatMap(([, row]) =>
        [...row!.matchAll(/<([0-9a-f ]*)>/g)].map(([, hex]) => utf16(hex!)),
      ),
    );
  const fonts: string[] = [];
  let [letters, lastY] = ['', ''];
  for (const [, y, font, glyphs] of streams
    .join('')
    .matchAll(/1 0 0 1 [\d.]+ ([\d.]+) Tm\n\/(F\d+) [\d.]+ Tf\n(?:.* Tr\n)?\[(.*)\] TJ/g)) {
    if (!fonts.includes(font!)) fonts.push(font!);
    const table = tables[fonts.indexOf(font!)]!;
    const numbers = [...glyphs!.matchAll(/<([0-9a-f]*)>/g)].flatMap(([, hex]) => hex!.match(/.{4}/g) ?? []);
    if (y !== lastY) letters += '\n';
    for (const number of numbers)
      letters += number === '0000' ? '\uFFFD' : table[Number.parseInt(number, 16)];
    lastY = y!;
  }
  return letters;
}

describe('heat map', () => {
  it('becomes a PNG with the lowest row as its last line', () => {
    const png = Buffer.from(heatmapToPng(visuals.spectrogram));
    expect(png.readUInt32BE(16)).toBe(3);
    expect(png.readUInt32BE(20)).toBe(2);
    const start = png.indexOf('IDAT') + 4;
    const pixels = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
    expect([...pixels]).toEqual([0, 192, 224, 255, 0, 0, 64, 128]);
  });
});
