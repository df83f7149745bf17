import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeFile } from '@earshot/decode';
import { afterAll, expect, it } from 'vitest';
import { repeatSong, SONG_SECONDS, songOfSeconds } from './repeat-song.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-repeat-song-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function decodedSeconds(path: string): Promise<number> {
  const session = await decodeFile(path);
  let sampleCount = 0;
  for await (const { channels } of session.blocks) sampleCount += channels[0]!.length;
  await session.finish();
  return sampleCount / session.format.sampleRateHz;
}

/** SONG_SECONDS is rounded to 0.1 s, and a file ends with a whole frame of 0.026 s; twice the song doubles the first. */
const TOLERANCE_SECONDS = 0.2;

it.each([10, 90, 200])('writes an MP3 of %d seconds', async (seconds) => {
  const foundSeconds = await decodedSeconds(songOfSeconds(join(folder, `${seconds}.mp3`), seconds));
  expect(Math.abs(foundSeconds - seconds)).toBeLessThan(TOLERANCE_SECONDS);
});

it('writes the song twice in a row', async () => {
  const foundSeconds = await decodedSeconds(repeatSong(join(folder, 'twice.mp3'), 2));
  expect(Math.abs(foundSeconds - 2 * SONG_SECONDS)).toBeLessThan(TOLERANCE_SECONDS);
});
