import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeFile } from '@earshot/decode';
import { expect, it } from 'vitest';
import { silentFlac } from './flac-files.ts';

it('decodes to silence of the full length', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-flac-'));
  const path = join(folder, 'silence.flac');
  const bytes = silentFlac({ sampleRateHz: 192_000, channelCount: 8, seconds: 10 });
  writeFileSync(path, bytes);
  const session = await decodeFile(path);
  expect(session.format).toMatchObject({ sampleRateHz: 192_000, channelCount: 8 });
  let sampleCount = 0;
  for await (const { channels } of session.blocks) {
    sampleCount += channels[0]!.length;
    for (const samples of channels) expect(samples.every((sample) => sample === 0)).toBe(true);
  }
  await session.finish();
  // Ten seconds, rounded up to whole blocks of 65,535 samples.
  expect(sampleCount).toBe(30 * 65_535);
  // 42 bytes of metadata and 30 frames of 34 bytes (8 of header, 24 of constants, 2 of checksum) decode to 31 MB.
  expect(bytes.length).toBe(1_062);
  rmSync(folder, { recursive: true });
});
