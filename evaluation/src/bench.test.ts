import { afterAll, expect, it } from 'vitest';

// Other test files share the process.
const { argv } = process;
afterAll(() => {
  process.argv = argv;
});

it('refuses to write the figures of another file into the page, which speaks of five minutes', async () => {
  process.argv = [...argv.slice(0, 2), '--file', 'no-such-song.mp3', '--write'];
  await expect(import('./bench.ts')).rejects.toThrow('--write is for the song of five minutes');
});
