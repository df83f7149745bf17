import { decodeFile } from '@earshot/decode';
import { startAnalysis } from '@earshot/engine';
import { loadModels } from '@earshot/engine/models';
import { buildResultDocument } from '@earshot/exports';
import { beforeAll, describe, expect, it } from 'vitest';
import { splitDocument } from './result-store.ts';
import { packGroups, type StoredGroups, unpackGroups } from './stored-groups.ts';

const SONG = 'examples/sample-song/two-doors-down.mp3';
const FOUR_MINUTES_SECONDS = 240;

/** The sample song again and again for four minutes. */
async function hearFourMinutes(): Promise<StoredGroups> {
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
    groups = await hearFourMinutes();
  });

  it('take a tenth of what their JSON takes', () => {
    // Recordings take up to 39 kB: their waveform is noise, where the sample song's repeats.
    expect(packGroups(groups).length).toBeLessThan(28_000);
  });

  it('come back to the byte, the coarser levels of the waveform with them', () => {
    const text = JSON.stringify(groups);
    expect(text.length).toBeGreaterThan(220_000);
    expect(JSON.stringify(unpackGroups(packGroups(groups)))).toBe(text);
  });

  it('come back to the byte where a coarser level is not the finest with its pixels joined', () => {
    const odd = structuredClone(groups);
    odd.waveform!.levels[1]!.data[7]! += 1;
    expect(JSON.stringify(unpackGroups(packGroups(odd)))).toBe(JSON.stringify(odd));
  });
});
