import { fileURLToPath } from 'node:url';
import { loadModels } from '@earshot/engine/models';
import { describe, expect, it } from 'vitest';
import { analyseFile } from './analyse-file.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

// Whole files through decoder and networks: a busy machine may need longer than usual.
describe('a voice', { timeout: 240_000 }, () => {
  it('is heard where somebody sings over a band', async () => {
    const { result } = await analyseFile(fileOf('evaluation/fixtures/sung-on-the-run.ogg'), loadModels());
    // Its notes are sung for three quarters of the excerpt, pauses for breath included.
    expect(result.content!.voicePresence).toBeGreaterThan(0.5);
    expect(result.summary.instrumentalness).toBeLessThan(0.5);
  });

  it('is not heard in a waltz that a violin leads', async () => {
    const { result } = await analyseFile(fileOf('examples/sample-song/three-lamps.mp3'), loadModels());
    expect(result.content!.voicePresence).toBeLessThan(0.08);
    expect(result.summary.instrumentalness).toBeGreaterThan(0.92);
  });

  it('is the same when nothing but content is asked for', async () => {
    const path = fileOf('examples/sample-song/three-lamps.mp3');
    const { result } = await analyseFile(path, loadModels(), { features: ['content'] });
    expect(result.content!.voicePresence).toBeLessThan(0.08);
  });
});
