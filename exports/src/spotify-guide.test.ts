import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeSpotifyAudioAnalysis, writeSpotifyAudioFeatures } from './spotify.ts';
import { SONG } from './test-song.ts';

/** docs/guides/from-spotify.md speaks of every field, and says the truth about which are there and which are null. */

const guide = readFileSync(new URL('../../docs/guides/from-spotify.md', import.meta.url), 'utf8');

/** Field → what the guide says it is in Earshot, from the table under a heading. */
function tableUnder(heading: string): Map<string, string> {
  const part = guide.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...part.matchAll(/^\| (`.+?) \| (.*?) \| .*\|$/gm)];
  return new Map(
    rows.flatMap(([, names = '', ours = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, ours] as const),
    ),
  );
}

const features = JSON.parse(writeSpotifyAudioFeatures(SONG));
const analysis = JSON.parse(writeSpotifyAudioAnalysis(SONG));

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
    for (const [name, ours] of table) {
      if (ours === '`null`') expect([name, written[name]]).toEqual([name, null]);
    }
  });
});
