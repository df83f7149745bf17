import { expect, it } from 'vitest';

it('refuses to write the figures of another file into the page, which speaks of five minutes', async () => {
  process.argv.splice(2, Number.POSITIVE_INFINITY, '--file', 'no-such-song.mp3', '--write');
  await expect(import('./bench.ts')).rejects.toThrow('--write is for the song of five minutes');
});
