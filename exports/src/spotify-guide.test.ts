import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ExportSource } from './export-source.ts';
import { writeSpotifyAudioAnalysis, writeSpotifyAudioFeatures } from './spotify.ts';
import { SONG } from './test-song.ts';

/** docs/guides/from-spotify.md must list every field, and say which are absent and which are always null. */

const guide = readFileSync(new URL('../../docs/guides/from-spotify.md', import.meta.url), 'utf8');

/** Maps each field to what the guide says about it in Earshot, from the table under a heading. */
function tableUnder(heading: string): Map<string, string> {
  const part = guide.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...part.matchAll(/^\| (`.+?) \| (.*?) \| .*\|$/gm)];
  return new Map(
    rows.flatMap(([, names = '', ours = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, ours] as const),
    ),
  );
}

/** A song with no unknown values. */
const { document } = SONG;
const KNOWN: ExportSource = {
  ...SONG,
  document: {
    ...document,
    ...{ valence: 0.5, acousticness: 0.2, instrumentalness: 0.9 },
    loudness: {
      ...document.loudness!,
      momentary: { start_seconds: 0, hop_seconds: 0.1, values: new Array(100).fill(-14) },
    },
  },
};
const features = JSON.parse(writeSpotifyAudioFeatures(KNOWN));
const analysis = JSON.parse(writeSpotifyAudioAnalysis(KNOWN));

describe('the guide from Spotify', () => {
  it.each([
    ['audio-features', features],
    ['audio-analysis: meta', analysis.meta],
    ['audio-analysis: track', analysis.track],
    ['audio-analysis: bars, beats, tatums', analysis.bars[0]],
    ['audio-analysis: bars, beats, tatums', analysis.beats[0]],
    ['audio-analysis: bars, beats, tatums', analysis.tatums[0]],
    ['audio-analysis: sections', analysis.sections[0]],
    ['audio-analysis: segments', analysis.segments[0]],
  ])('%s', (heading, written: Record<string, unknown>) => {
    const table = tableUnder(heading);
    const present = [...table].filter(([, ours]) => ours !== 'absent').map(([name]) => name);
    expect(present.toSorted()).toEqual(Object.keys(written).toSorted());
    const isNull = (ours: string | undefined) => ours === '`null`';
    const nulls = Object.keys(written).filter((name) => written[name] === null);
    expect(nulls).toEqual(Object.keys(written).filter((name) => isNull(table.get(name))));
  });
});
