import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeFile } from '@earshot/decode';
import { expect, it, onTestFinished } from 'vitest';
import { silentFlac } from './flac-files.ts';

it.each([
  // 42 bytes of metadata and 30 frames of 34 bytes (8 of header, 24 of constants, 2 of checksum) hold 15.7 million samples.
  { channelCount: 8, seconds: 10, frameCount: 30, sizeBytes: 1_062, lastFrameBytes: 34 },
  // Frames of 13 bytes up to number 127, of 14 up to 2,047, and of 15: their numbers take one, two and three bytes.
  {
    channelCount: 1,
    seconds: 700,
    frameCount: 2_051,
    sizeBytes: 42 + 128 * 13 + 1_920 * 14 + 3 * 15,
    lastFrameBytes: 15,
  },
])('$seconds s decode to silence of the full length', async (expected) => {
  const { channelCount, seconds, frameCount, sizeBytes, lastFrameBytes } = expected;
  const folder = mkdtempSync(join(tmpdir(), 'earshot-flac-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'silence.flac');
  const bytes = silentFlac({ sampleRateHz: 192_000, channelCount, seconds });
  expect(bytes.length).toBe(sizeBytes);
  // The number of a frame follows its first four bytes.
  const lastNumber = Buffer.from(String.fromCodePoint(frameCount - 1));
  expect(bytes.subarray(sizeBytes - lastFrameBytes + 4).subarray(0, lastNumber.length)).toEqual(lastNumber);
  writeFileSync(path, bytes);
  const session = await decodeFile(path);
  expect(session.format).toMatchObject({ sampleRateHz: 192_000, channelCount });
  let sampleCount = 0;
  for await (const { channels } of session.blocks) {
    sampleCount += channels[0]!.length;
    for (const samples of channels) expect(samples.every((sample) => sample === 0)).toBe(true);
  }
  await session.finish();
  // The length is rounded up to whole blocks of 65,535 samples.
  expect(sampleCount).toBe(frameCount * 65_535);
});
