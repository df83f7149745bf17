/**
 * Where are the beats and the downbeats? A temporal convolutional network answers, frame by frame, with two probabilities.
 *
 * 1. 3×3 convolutions over (time, band) with pooling over bands: what kind of event is this frame?
 * 2. residual blocks of dilated convolutions, each at two dilations: how does it relate to the events around it?
 * 3. two logits per frame.
 *
 * Böck & Davies, "Deconstruct, analyse, reconstruct: how to improve tempo, beat, and downbeat estimation", ISMIR 2020 (the block).
 * Sizes come from the model file (engine/models/README.md); batch norms are already folded into the convolutions.
 * Input: linear mel magnitudes, and the RMS of the signal to divide them by. A row between layers is one frame of channels, padded to a
 * multiple of eight. A network of the same kind, with another output, detects the voice (content/voice.ts).
 */

import { logistic } from '../logistic.ts';
import { ParameterError } from '../parameter-error.ts';
import type { FrameMatrix } from '../signal/frame-matrix.ts';
import { RMS_FLOOR } from '../signal/front-end.ts';
import { createLogFrames } from '../signal/log-frames.ts';
import { type BeatLayers, loadBeatLayers } from './beat-layers.ts';
import type { ModelFile } from './model-file.ts';
import type { NetworkKernels } from './network-kernels.ts';
import { BLOCK_CHANNELS } from './packed-convolution.ts';
import { createRowLayer, type RowInput, type RowSink } from './row-layer.ts';

/** Rows passed from layer to layer at once: few enough for the second-level cache, enough to hide the cost of a call. */
const ROWS_MAX = 256;
const BEAT_OUTPUTS = ['beat', 'downbeat'] as const;

export function runBeatNetwork(
  kernels: NetworkKernels,
  model: ModelFile,
  mel: FrameMatrix,
  rms: number,
  rowsMax = ROWS_MAX,
): { beat: Float32Array; downbeat: Float32Array } {
  const [beat, downbeat] = runFrameNetwork(kernels, model, mel, rms, BEAT_OUTPUTS, rowsMax);
  return { beat: beat!, downbeat: downbeat! };
}

/** The probability of each of `outputs` in every frame. `outputs` must be those of the model; `rms` is that of the whole signal. */
export function runFrameNetwork(
  kernels: NetworkKernels,
  model: ModelFile,
  mel: FrameMatrix,
  rms: number,
  outputs: readonly string[],
  rowsMax = ROWS_MAX,
): Float32Array[] {
  const layers = loadBeatLayers(kernels, model, outputs, rowsMax);
  const { bandCount } = layers;
  if (mel.binCount !== bandCount)
    throw new ParameterError(`expected ${bandCount} bands, got ${mel.binCount}`);
  const probabilities = outputs.map(() => new Float32Array(mel.frameCount));
  const firstLayer = chainLayers(kernels, layers, rowsMax, probabilities);
  const { scale, offset } = layers;
  const gain = layers.gain / (rms + RMS_FLOOR);
  const logMel = createLogFrames(kernels, mel, { gain, shift: 1, scale, offset });
  // A zero band at either end is the padding of the first convolution.
  const rowFloats = bandCount + 2;
  for (let frame = 0; frame < mel.frameCount; ) {
    const rowCount = Math.min(rowsMax, mel.frameCount - frame);
    const rows = firstLayer.roomView();
    for (let row = 0; row < rowCount; row++, frame++) {
      const from = logMel.seek(frame);
      rows.set(logMel.data.subarray(from, from + bandCount), row * rowFloats + 1);
    }
    firstLayer.accept(rowCount);
  }
  firstLayer.end();
  return probabilities;
}

function chainLayers(
  kernels: NetworkKernels,
  layers: BeatLayers,
  rowsMax: number,
  probabilities: readonly Float32Array[],
): RowInput {
  const chain = [layers.conv1, layers.conv2, layers.conv3, ...layers.blocks, layers.head];
  return chain.reduceRight<RowSink>(
    (next, layer) => createRowLayer(kernels, layer, rowsMax, next),
    collectProbabilities(kernels, rowsMax, probabilities),
  ) as RowInput;
}

function collectProbabilities(
  kernels: NetworkKernels,
  rowsMax: number,
  probabilities: readonly Float32Array[],
): RowSink {
  const logits = kernels.allocateFloats(rowsMax * BLOCK_CHANNELS);
  let frame = 0;
  return {
    room: () => logits.pointer,
    accept(rowCount) {
      const view = logits.view;
      probabilities.forEach((ofOutput, output) => {
        for (let row = 0; row < rowCount; row++) {
          ofOutput[frame + row] = logistic(view[row * BLOCK_CHANNELS + output]!);
        }
      });
      frame += rowCount;
    },
    end() {},
  };
}
