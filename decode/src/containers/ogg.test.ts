import { describe, expect, it } from 'vitest';
import { decodeBytes, fixtureBytes } from '../test/fixture-audio.ts';
import { FLAC_PACKET_SAMPLES, flacPacket } from '../test/flac-bytes.ts';
import { oggFlacHeader, oggPage } from '../test/ogg-bytes.ts';

/** Packet `number` has samples of value `number`; `granule` defaults to its end. */
const audioPage = (number: number, fields: Partial<Parameters<typeof oggPage>[1]> = {}) =>
  oggPage([flacPacket(number, number)], {
    sequence: number,
    granule: number * FLAC_PACKET_SAMPLES,
    ...fields,
  });
const headerPage = (serial = 1) =>
  oggPage([oggFlacHeader(0)], { serial, sequence: 0, granule: 0, isFirst: true });

/** The sample values as runs of equal ones. */
async function decodeRuns(...pages: Uint8Array[]) {
  const { stream, samples } = await decodeBytes(new Uint8Array(Buffer.concat(pages)));
  const runs: { value: number; sampleCount: number }[] = [];
  for (const sample of samples[0]!) {
    const value = sample * 32768;
    if (runs.at(-1)?.value === value) runs.at(-1)!.sampleCount++;
    else runs.push({ value, sampleCount: 1 });
  }
  return { stream, runs };
}

describe('FLAC in Ogg', () => {
  it('ends at the granule position of its last page, inside the last packet', async () => {
    const lastGranule = FLAC_PACKET_SAMPLES + 1000;
    const { stream, runs } = await decodeRuns(
      headerPage(),
      audioPage(1),
      audioPage(2, { granule: lastGranule, isLast: true }),
    );
    expect(runs).toEqual([
      { value: 1, sampleCount: FLAC_PACKET_SAMPLES },
      { value: 2, sampleCount: 1000 },
    ]);
    expect(stream).toMatchObject({
      container: 'Ogg',
      codec: 'FLAC',
      declaredSamples: lastGranule,
      health: { decodedPackets: 2, damagedPackets: 0, truncated: false },
    });
  });

  it('has silence in place of a missing page, as long as the granule positions say', async () => {
    const { stream, runs } = await decodeRuns(headerPage(), audioPage(1), audioPage(3), audioPage(4));
    expect(runs.map(({ value }) => value)).toEqual([1, 0, 3, 4]);
    expect(runs[1]!.sampleCount).toBe(FLAC_PACKET_SAMPLES);
    expect(stream.health).toMatchObject({ damagedPackets: 1 });
  });

  it('has no silence for a gap of more than ten seconds, which is a wrong granule position', async () => {
    // 22 packets of 4,096 samples last 11.3 s at 8 kHz.
    const { runs } = await decodeRuns(headerPage(), audioPage(1), audioPage(24), audioPage(25));
    expect(runs.map(({ value }) => value)).toEqual([1, 24, 25]);
  });

  it('keeps a stream that was cut out of another: times count from its first page', async () => {
    const { runs, stream } = await decodeRuns(
      headerPage(),
      audioPage(1, { granule: 50 * FLAC_PACKET_SAMPLES }),
      audioPage(2, { granule: 51 * FLAC_PACKET_SAMPLES }),
    );
    expect(runs.map(({ value }) => value)).toEqual([1, 2]);
    expect(stream.declaredSamples).toBe(2 * FLAC_PACKET_SAMPLES);
  });

  it('is found among other streams that are multiplexed with it', async () => {
    const other = (sequence: number, isFirst: boolean) =>
      oggPage([new TextEncoder().encode('fishead')], { serial: 9, sequence, granule: 0, isFirst });
    const { runs, stream } = await decodeRuns(
      other(0, true),
      headerPage(),
      other(1, false),
      audioPage(1),
      other(2, false),
      audioPage(2),
    );
    expect(runs.map(({ value }) => value)).toEqual([1, 2]);
    expect(stream.health.damagedPackets).toBe(0);
  });
});

it('the declared length of Opus leaves out the samples that are skipped at the start', async () => {
  // 0.4 s at 48 kHz, behind 312 samples.
  expect((await decodeBytes(fixtureBytes('opus.ogg'))).stream.declaredSamples).toBe(19_200);
});

it('a file with more than a thousand chained streams ends after them and is truncated', async () => {
  const chains = Array.from({ length: 1001 }, (_, serial) =>
    Buffer.concat([headerPage(serial), audioPage(1, { serial, granule: 1, isLast: true })]),
  );
  const whole = await decodeRuns(...chains.slice(1));
  expect(whole.runs).toEqual([{ value: 1, sampleCount: 1000 }]);
  expect(whole.stream.health.truncated).toBe(false);
  const { runs, stream } = await decodeRuns(...chains);
  expect(runs).toEqual([{ value: 1, sampleCount: 1000 }]);
  expect(stream.health.truncated).toBe(true);
});

it('a file with Speex is refused by name', async () => {
  const header = new TextEncoder().encode('Speex   '.padEnd(80, '\0'));
  const page = oggPage([header], { sequence: 0, granule: 0, isFirst: true });
  await expect(decodeBytes(page)).rejects.toMatchObject({
    code: 'unsupported_format',
    message: expect.stringContaining('Speex'),
  });
});
