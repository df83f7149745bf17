/**
 * npm run loudness-sequences -- --folder DIR
 *
 * Measures the test sequences of EBU Tech 3341 (2023) and 3342 (2023) and compares them with the targets and tolerances given there.
 * Writes evaluation/loudness-sequences.json, which docs/accuracy.md shows. Exits with 1 when a target is missed, or when its sequence is
 * not in the folder.
 */

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { analyseFile } from './analyse-file.ts';

export type LoudnessReading = {
  file: string;
  quantity: 'integrated (LUFS)' | 'range (LU)';
  /** Target, tolerance and reading have the unit of the quantity. The reading is null where the engine gives none. */
  target: number;
  tolerance: number;
  reading: number | null;
};

const TARGETS: readonly [RegExp, LoudnessReading['quantity'], number][] = [
  [/3341-1-/, 'integrated (LUFS)', -23],
  [/3341-2-/, 'integrated (LUFS)', -33],
  [/3341-3-/, 'integrated (LUFS)', -23],
  [/3341-4-/, 'integrated (LUFS)', -23],
  [/3341-5-/, 'integrated (LUFS)', -23],
  [/3341-7/, 'integrated (LUFS)', -23],
  [/3342-1-/, 'range (LU)', 10],
  [/3342-2-/, 'range (LU)', 5],
  [/3342-3-/, 'range (LU)', 20],
  [/3342-4-/, 'range (LU)', 15],
  [/3342-5-/, 'range (LU)', 5],
];
/** Tech 3341 and Tech 3342, table 1 of each. */
const TOLERANCE = { 'integrated (LUFS)': 0.1, 'range (LU)': 1 } as const;
const OUT = 'evaluation/loudness-sequences.json';

const { values } = parseArgs({ options: { folder: { type: 'string' } } });
if (!values.folder) {
  console.error('Usage: npm run loudness-sequences -- --folder DIR');
  process.exit(2);
}
const readings: LoudnessReading[] = [];
for (const file of readdirSync(values.folder).sort()) {
  const targets = TARGETS.filter(([pattern]) => pattern.test(file));
  if (targets.length === 0) continue;
  const { result } = await analyseFile(
    join(values.folder, file),
    { beats: null, chords: null, tags: null, voice: null },
    { features: ['loudness'] },
  );
  for (const [, quantity, target] of targets) {
    const { integratedLufs, rangeLu } = result.loudness!;
    const reading = quantity === 'range (LU)' ? rangeLu : integratedLufs;
    readings.push({ file, quantity, target, tolerance: TOLERANCE[quantity], reading });
  }
}
for (const { file, quantity, target, tolerance, reading } of readings) {
  console.log(
    `${file.padEnd(36)} ${quantity.padEnd(18)} ${target} ± ${tolerance}: ${reading?.toFixed(2) ?? 'none'}`,
  );
}
writeFileSync(
  OUT,
  `${JSON.stringify(readings, (_, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value), 1)}\n`,
);
const hasMissed = readings.some(
  ({ target, tolerance, reading }) => reading === null || Math.abs(reading - target) > tolerance,
);
const absent = TARGETS.filter(([pattern]) => !readings.some(({ file }) => pattern.test(file)));
for (const [pattern] of absent) console.log(`No file in the folder matches ${pattern}`);
process.exitCode = hasMissed || absent.length > 0 ? 1 : 0;
