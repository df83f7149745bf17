import { decodeFile } from '@earshot/decode';
import { startAnalysis } from '@earshot/engine';
import { loadModels } from '@earshot/engine/models';
import { buildResultDocument } from '@earshot/exports';
import { beforeAll, describe, expect, it } from 'vitest';
import { splitDocument } from './result-store.ts';
import { packGroups, type StoredGroups, unpackGroups } from './stored-groups.ts';

const SONG = 'examples/sample-song/two-doors-down.mp3';
const FOUR_MINUTES_SECONDS = 240;

/** The groups of the sample song, repeated for four minutes. */
async function analyseFourMinutes(): Promise<StoredGroups> {
  const first = await decodeFile(SONG);
  const { format } = first;
  const analysis = startAnalysis(format, {}, loadModels());
  let samplesLeft = FOUR_MINUTES_SECONDS * format.sampleRateHz;
  for (let session = first; ; session = await decodeFile(SONG)) {
    for await (const { channels } of session.blocks) {
      const part = channels.map((channel) => channel.subarray(0, samplesLeft));
      analysis.push({ channels: part });
      samplesLeft -= part[0]!.length;
    }
    await session.finish();
    if (samplesLeft > 0) continue;
    const document = buildResultDocument({
      analysis: analysis.finish(),
      file: { ...session.info, sha256: '0'.repeat(64) },
      analysedAt: new Date('2026-03-01T12:00:00Z'),
      analysisSeconds: 2,
      options: { features: null, hints: {} },
    });
    return splitDocument(document).groups;
  }
}

describe('the groups of a song of four minutes, as stored', () => {
  let groups: StoredGroups;
  beforeAll(async () => {
    groups = await analyseFourMinutes();
  });

  it('take less than 28 kB, of 220 kB of JSON', () => {
    // Recordings take up to 39 kB: unlike the sample song, they never repeat exactly.
    expect(packGroups(groups).length).toBeLessThan(28_000);
  });

  it('are restored exactly, with the derived levels of the waveform', () => {
    const text = JSON.stringify(groups);
    expect(text.length).toBeGreaterThan(220_000);
    expect(JSON.stringify(unpackGroups(packGroups(groups)))).toBe(text);
  });

  it('are restored exactly when a level cannot be derived from the finest', () => {
    const odd = structuredClone(groups);
    odd.waveform!.levels[1]!.data[7]! += 1;
    expect(JSON.stringify(unpackGroups(packGroups(odd)))).toBe(JSON.stringify(odd));
  });
});
