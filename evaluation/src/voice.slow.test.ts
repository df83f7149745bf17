import { fileURLToPath } from 'node:url';
import { loadModels } from '@earshot/engine/models';
import { describe, expect, it } from 'vitest';
import { analyseFile } from './analyse-file.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Far below .53, the share of this waltz in which the voice network alone hears a voice (training/README.md); the tagger overrules it. */
const HEARD_SHARE_MAX = 0.08;

// Decoding and analysing whole files takes long on a busy machine.
describe('a voice', { timeout: 240_000 }, () => {
  it('is detected in a song with a singer and a band', async () => {
    const { result } = await analyseFile(fileOf('evaluation/fixtures/sung-on-the-run.ogg'), loadModels());
    // The singer's notes and the breaths between them fill three quarters of the excerpt.
    expect(result.content!.voicePresence).toBeGreaterThan(0.5);
    expect(result.summary.instrumentalness).toBeLessThan(0.5);
  });

  it('is not detected in a waltz led by a violin', async () => {
    const path = fileOf('examples/sample-song/three-lamps.mp3');
    const { result } = await analyseFile(path, loadModels());
    expect(result.content!.voicePresence).toBeLessThan(HEARD_SHARE_MAX);
    expect(result.summary.instrumentalness).toBeGreaterThan(1 - HEARD_SHARE_MAX);
    // The tagger has its say even when its tags are not requested.
    const { result: contentOnly } = await analyseFile(path, loadModels(), { features: ['content'] });
    expect(contentOnly.content).toEqual(result.content);
  });
});
