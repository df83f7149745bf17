import { inflateSync } from 'node:zlib';
import type { Visuals } from '@earshot/engine';
import PDFDocument from 'pdfkit';
import { describe, expect, it, vi } from 'vitest';
import { SONG } from '../test-song.ts';
import { heatmapToPng } from './heatmap-png.ts';
import { heatColour } from './palette.ts';
import { writeReportHtml } from './report-html.ts';
import { writeReportPdf } from './report-pdf.ts';

const visuals: Visuals = {
  spectrogram: {
    rowCount: 2,
    columnCount: 3,
    secondsPerColumn: 5,
    values: Uint8Array.of(0, 64, 128, 192, 224, 255),
  },
  chromagram: { rowCount: 12, columnCount: 2, secondsPerColumn: 8, values: new Uint8Array(24).fill(99) },
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

  it('spells keys as charts and the dashboard do: Db major, G# minor', () => {
    const source = structuredClone(DRAWN);
    const { document } = source;
    Object.assign(document, { key: 'C#', scale: 'major', key_notation: 'C#', camelot: '3B' });
    document.tonal!.alternatives = [{ ...document.tonal!.alternatives[0]!, key: 'Ab', scale: 'minor' }];
    document.structure!.sections[0]!.key = 'Abm';
    const html = writeReportHtml(source);
    expect(html).toContain(
      'The key is probably Db major (3B on the Camelot wheel). G# minor is the next best guess.',
    );
    expect(html).toContain('<dt>Key</dt><dd>Db<');
    expect(html).toContain('<td>G#m</td>');
  });

  it('has a row for each section', () => {
    expect(writeReportHtml(DRAWN)).toContain(
      '<tr><td>0:01–0:09</td><td>A</td><td>verse</td><td>120.0</td><td>Am</td><td>−14.0</td></tr>',
    );
  });

  it('explains the colours only if there are sections', () => {
    const source = structuredClone(DRAWN);
    expect(writeReportHtml(source)).toContain('2 sections; the same colour means the same music');
    source.document.structure!.sections = [];
    expect(writeReportHtml(source)).not.toContain('same colour');
  });

  it('is a PDF with the same bytes each time', async () => {
    const [first, second] = [await writeReportPdf(DRAWN), await writeReportPdf(DRAWN)];
    expect(Buffer.from(first).subarray(0, 5).toString()).toBe('%PDF-');
    // The moment of the analysis, not that of the writing.
    expect(Buffer.from(first).toString('latin1')).toContain('(D:20260301120000Z)');
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
          Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0,
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
    // Eight bits a pixel, which are the numbers of colours in the palette.
    expect([...png.subarray(24, 29)]).toEqual([8, 3, 0, 0, 0]);
    const palette = png.indexOf('PLTE') + 4;
    expect(png.readUInt32BE(palette - 8)).toBe(3 * 256);
    expect([...png.subarray(palette, palette + 3)]).toEqual([...heatColour(0)]);
    const start = png.indexOf('IDAT') + 4;
    const pixels = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
    expect([...pixels]).toEqual([0, 192, 224, 255, 0, 0, 64, 128]);
  });
});
