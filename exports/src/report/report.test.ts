import { inflateSync } from 'node:zlib';
import type { Visuals } from '@earshot/engine';
import { describe, expect, it } from 'vitest';
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

const DRAWN = { ...SONG, supplement: { visuals, segmentSounds: null } };

describe('report', () => {
  it('needs nothing from elsewhere and runs no script', () => {
    const html = writeReportHtml(DRAWN);
    const addresses = [...html.matchAll(/(?:src|href|url)\s*[=(]\s*["']?([^"')\s>]+)/g)].map(
      (match) => match[1],
    );
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect(address).toMatch(/^data:/);
    expect(html).not.toMatch(/<script|@import/i);
  });

  it('shows a title and a corrected section as text, whatever they contain', () => {
    const source = structuredClone(DRAWN);
    source.document.file.tags.title = '<img src=x onerror=alert(1)> & "more"';
    source.document.structure!.sections[0]!.group = '<s>';
    const html = writeReportHtml(source);
    expect(html).not.toMatch(/<img|<s>/);
    expect(html).toContain('&#60;img src=x onerror=alert(1)&#62;');
  });

  it('says what the numbers say', () => {
    const sentences = describeResult(SONG.document).join(' ');
    expect(sentences).toContain('The tempo is 120.0 BPM in 4/4');
    expect(sentences).toContain(
      'The key is probably A minor (8A on the Camelot wheel). C major is the next best guess.',
    );
    expect(sentences).toContain('The form reads AB, 2 sections in all.');
  });

  it('offers a doubter another tempo, not the same one again', () => {
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

  it('draws without pictures when there are none', () => {
    expect(writeReportHtml({ ...SONG, supplement: null })).not.toContain('Spectrogram');
  });
});

describe('heat map', () => {
  it('is a PNG whose last line is the lowest row', () => {
    const png = Buffer.from(heatmapToPng(visuals.spectrogram));
    expect(png.readUInt32BE(16)).toBe(3);
    expect(png.readUInt32BE(20)).toBe(2);
    const start = png.indexOf('IDAT') + 4;
    const pixels = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
    expect([...pixels]).toEqual([0, 192, 224, 255, 0, 0, 64, 128]);
  });
});
