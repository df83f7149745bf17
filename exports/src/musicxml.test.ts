import { describe, expect, it } from 'vitest';
import { type ExportSource, ExportUnavailable } from './export-source.ts';
import { writeMusicXml } from './musicxml.ts';
import { SONG } from './test-song.ts';

function measuresOf(source: ExportSource): string[] {
  return [...writeMusicXml(source).matchAll(/<measure [\s\S]*?<\/measure>/g)].map(([text]) => text);
}

/** A song with one chord, in bars of the given numbers of beats. */
function inBarsOf(...lengths: number[]): ExportSource {
  const beats = lengths
    .flatMap((length, bar) => Array.from({ length }, (_, beat) => ({ bar, beat_in_bar: beat + 1 })))
    .map((beat, index) => ({ ...beat, time_seconds: 1 + 0.5 * index, confidence: 0.9 }));
  const rhythm = { ...SONG.document.rhythm!, beats };
  const [, chord] = SONG.document.tonal!.chords_sevenths;
  const tonal = { ...SONG.document.tonal!, chords_sevenths: [{ ...chord!, end_seconds: 60 }] };
  return { ...SONG, document: { ...SONG.document, rhythm, tonal } };
}

/** In exports/readers music21 reads such files too. */
describe('writeMusicXml', () => {
  const xml = writeMusicXml(SONG);
  const measures = measuresOf(SONG);

  it('numbers the pickup 0 and the bars from 1, with a slash for every beat', () => {
    expect(measures.map((text) => /number="(\d+)"/.exec(text)?.[1])).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
    expect(measures.map((text) => text.match(/slash/g)?.length)).toEqual([1, 4, 4, 4, 4, 4, 4]);
    expect(measures[0]).toContain('implicit="yes"');
    expect(measures[0]).toContain('<time><beats>4</beats><beat-type>4</beat-type></time>');
    expect(xml.match(/<time>/g)).toHaveLength(1);
  });

  it('has a chord symbol where a chord begins, with its bass', () => {
    expect(measures[1]).toContain(
      '<harmony><root><root-step>A</root-step></root><kind text="m7">minor-seventh</kind></harmony>',
    );
    expect(measures[2]).not.toContain('<harmony>');
    expect(measures[5]).toContain('<bass><bass-step>E</bass-step></bass>');
  });

  it('has one N.C. where the song begins without a chord', () => {
    expect(measures[0]).toContain('<kind text="N.C.">none</kind>');
    expect(xml.match(/N\.C\./g)).toHaveLength(1);
  });

  it('has the key, the tempo and the sections, and escapes names', () => {
    expect(xml).toContain('<key><fifths>0</fifths><mode>minor</mode></key>');
    expect(xml).toContain('<sound tempo="120.00"/>');
    expect([...xml.matchAll(/<rehearsal>(.*?)</g)].map(([, name]) => name)).toEqual(['verse', 'pre-chorus']);
    expect(xml).toContain('Tom &amp; &quot;Jerry&quot; &lt;live&gt;');
  });

  it.each([
    ['Ebm', 'D#:min', -6, 'E', -1],
    ['Abm', 'G#:min', 5, 'G', 1],
    ['C#', 'Db:maj', -5, 'D', -1],
  ])('in %s spells the chords like the signature', (key_notation, label, fifths, step, alter) => {
    const [chord] = SONG.document.tonal!.chords_sevenths;
    const tonal = { ...SONG.document.tonal!, chords_sevenths: [{ ...chord!, label, start_seconds: 0 }] };
    const written = writeMusicXml({ ...SONG, document: { ...SONG.document, key_notation, tonal } });
    expect(written).toContain(`<fifths>${fifths}</fifths>`);
    expect(written).toContain(`<root-step>${step}</root-step><root-alter>${alter}</root-alter>`);
  });

  it('keeps the meter of a last bar that is cut short', () => {
    const last = measuresOf(inBarsOf(4, 4, 2)).at(-1)!;
    expect(last).toContain('<measure number="3" implicit="yes">');
    expect(last).not.toContain('<time>');
  });

  it('writes the meter only where it changes', () => {
    const meters = measuresOf(inBarsOf(4, 3, 3, 4, 4)).map((text) => /<beats>(\d)</.exec(text)?.[1] ?? null);
    expect(meters).toEqual(['4', '3', null, '4', null]);
  });

  it('changes the meter for a last bar that is longer', () => {
    const last = measuresOf(inBarsOf(3, 3, 4)).at(-1)!;
    expect(last).toContain('<measure number="3">');
    expect(last).toContain('<beats>4</beats>');
  });

  it('writes a chord that continues over a bar line once', () => {
    expect(writeMusicXml(inBarsOf(4, 4)).match(/<harmony>/g)).toHaveLength(1);
  });

  it('is not available without beats', () => {
    const rhythm = { ...SONG.document.rhythm!, beats: [] };
    expect(() => writeMusicXml({ ...SONG, document: { ...SONG.document, rhythm } })).toThrow(
      ExportUnavailable,
    );
  });
});
