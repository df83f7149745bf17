import { describe, expect, it } from 'vitest';
import { ExportUnavailable } from './export-source.ts';
import { writeMusicXml } from './musicxml.ts';
import { SONG } from './test-song.ts';

/** That music21 reads the same is held by exports/readers. */
describe('writeMusicXml', () => {
  const xml = writeMusicXml(SONG);
  const measures = [...xml.matchAll(/<measure [\s\S]*?<\/measure>/g)].map(([text]) => text);

  it('has a pickup of its own number, then the bars of the song, a slash for every beat', () => {
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

  it('says a chord where it begins, with its bass', () => {
    expect(measures[1]).toContain(
      '<harmony><root><root-step>A</root-step></root><kind text="m7">minor-seventh</kind></harmony>',
    );
    expect(measures[2]).not.toContain('<harmony>');
    expect(measures[5]).toContain('<bass><bass-step>E</bass-step></bass>');
  });

  it('says where a song opens without a chord, once', () => {
    expect(measures[0]).toContain('<kind text="N.C.">none</kind>');
    expect(xml.match(/N\.C\./g)).toHaveLength(1);
  });

  it('has key, tempo, sections, and names escaped', () => {
    expect(xml).toContain('<key><fifths>0</fifths><mode>minor</mode></key>');
    expect(xml).toContain('<sound tempo="120.00"/>');
    expect([...xml.matchAll(/<rehearsal>(.*?)</g)].map(([, name]) => name)).toEqual(['verse', 'pre-chorus']);
    expect(xml).toContain('Tom &amp; &quot;Jerry&quot; &lt;live&gt;');
  });

  it('needs bars', () => {
    const rhythm = { ...SONG.document.rhythm!, beats: [] };
    expect(() => writeMusicXml({ ...SONG, document: { ...SONG.document, rhythm } })).toThrow(
      ExportUnavailable,
    );
  });
});
