import { resolve } from 'node:path';
import { Earshot } from '@earshot/sdk';
import { expect, it } from 'vitest';
import { createRemoteAnalyser } from './analyse-remote.ts';
import { SongFailed } from './song.ts';

it('fails for a file that went away, and not for the others', async () => {
  const analyse = createRemoteAnalyser(new Earshot({ baseUrl: 'http://localhost:9' }), {});
  const failed = analyse('gone.mp3', () => {});
  await expect(failed).rejects.toThrow(SongFailed);
  await expect(failed).rejects.toThrow(`There is no file ${resolve('gone.mp3')}.`);
});
