import { expect, it } from 'vitest';
import { readModelFile } from '../learned/model-file.ts';
import { createKernels } from '../signal/kernels.ts';
import { runChordNetwork } from './chord-network.ts';
import { hearHarmony } from './hear-harmony.ts';
import { makeChordModel } from './test-chord-model.ts';
import { drawChords, makeCadence } from './test-progressions.ts';

const model = makeChordModel({ frontChannels: 8, channels: 8, dilations: [1] });
const pitch = drawChords(makeCadence(0).slice(0, 1));

it('harmony is the tuning alone without a network', () => {
  const { tuning, learned, models } = hearHarmony({ pitch, rms: 0.1, model: null });
  expect(tuning!.referenceHz).toBeCloseTo(440, 6);
  expect([learned, models]).toEqual([null, []]);
});

it('harmony is the network’s opinion of every frame too, which tells how far it is', () => {
  const told: number[] = [];
  const harmony = hearHarmony({ pitch, rms: 0.1, model }, (fraction) => told.push(fraction));
  expect(harmony.tuning!.cents).toBeCloseTo(0, 6);
  expect(harmony.learned!.activation).toMatchObject({ frameCount: pitch.frameCount, source: 'learned' });
  expect(harmony.models).toEqual([readModelFile(model).provenance]);
  expect(told.at(-1)).toBe(1);
});

it('harmony is heard by the network in the tuning that was found', () => {
  // A quarter of each tone on its own band and the rest a band up: 40 cents sharp, out of the network's reach.
  const data = pitch.data.map((value, i) => value + 4 * (i % 144 === 0 ? 0 : pitch.data[i - 1]!));
  const sharp = { ...pitch, data };
  const { tuning, learned } = hearHarmony({ pitch: sharp, rms: 0.1, model });
  expect(tuning!.cents).toBeCloseTo(40, 6);
  const hearAt = (tuningCents: number) =>
    runChordNetwork(createKernels(), readModelFile(model), { pitch: sharp, rms: 0.1, tuningCents })
      .activation;
  expect(learned!.activation).toEqual(hearAt(tuning!.cents));
  expect(learned!.activation).not.toEqual(hearAt(0));
});

it('harmony of frames without a peak is heard as if it were in tune', () => {
  const noPeaks = { ...pitch, data: new Float32Array(pitch.data.length) };
  const { tuning, learned } = hearHarmony({ pitch: noPeaks, rms: 0.1, model });
  expect(tuning).toBeNull();
  expect(learned!.activation.frameCount).toBe(pitch.frameCount);
});

it.each([0, 1e-4, Number.NaN])('harmony of a recording at a level of %d is nothing', (rms) => {
  expect(hearHarmony({ pitch, rms, model })).toEqual({ tuning: null, learned: null, models: [] });
});
