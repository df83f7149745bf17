import { expect, it } from 'vitest';
import { readModelFile } from '../learned/model-file.ts';
import { createKernels } from '../signal/kernels.ts';
import { runChordNetwork } from './chord-network.ts';
import { hearHarmony } from './hear-harmony.ts';
import { makeChordModel } from './test-chord-model.ts';
import { drawChords, makeCadence } from './test-progressions.ts';

const model = makeChordModel({ frontChannels: 8, channels: 8, dilations: [1] });
const pitch = drawChords(makeCadence(0).slice(0, 1));
const hearAt = (frames: typeof pitch, tuningCents: number) =>
  runChordNetwork(createKernels(), readModelFile(model), { pitch: frames, rms: 0.1, tuningCents }).activation;

it('harmony without a network is the tuning alone', () => {
  const { tuning, learned, models } = hearHarmony({ pitch, rms: 0.1, model: null });
  expect(tuning!.referenceHz).toBeCloseTo(440, 6);
  expect([learned, models]).toEqual([null, []]);
});

it('harmony with a network has its activation too, and reports progress', () => {
  const fractions: number[] = [];
  const harmony = hearHarmony({ pitch, rms: 0.1, model }, (fraction) => fractions.push(fraction));
  expect(harmony.tuning!.cents).toBeCloseTo(0, 6);
  expect(harmony.learned!.activation).toMatchObject({ frameCount: pitch.frameCount, source: 'learned' });
  expect(harmony.models).toEqual([readModelFile(model).provenance]);
  expect(fractions.at(-1)).toBe(1);
});

it('the network is run in the estimated tuning', () => {
  // A fifth of each tone is in its own band and the rest one band up: 40 cents sharp, beyond the tunings the network was trained on.
  const data = pitch.data.map((value, i) => value + 4 * (i % 144 === 0 ? 0 : pitch.data[i - 1]!));
  const sharp = { ...pitch, data };
  const { tuning, learned } = hearHarmony({ pitch: sharp, rms: 0.1, model });
  expect(tuning!.cents).toBeCloseTo(40, 6);
  expect(learned!.activation).toEqual(hearAt(sharp, tuning!.cents));
  expect(learned!.activation).not.toEqual(hearAt(sharp, 0));
});

it('the network is run as if in tune if no frame has a peak', () => {
  const noPeaks = { ...pitch, data: new Float32Array(pitch.data.length) };
  const { tuning, learned } = hearHarmony({ pitch: noPeaks, rms: 0.1, model });
  expect(tuning).toBeNull();
  expect(learned!.activation).toEqual(hearAt(noPeaks, 0));
});

it.each([0, 1e-4, Number.NaN])('harmony is empty at a level of %d', (rms) => {
  expect(hearHarmony({ pitch, rms, model })).toEqual({ tuning: null, learned: null, models: [] });
});
