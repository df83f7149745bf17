/**
 * What each stage of the engine costs, in processor milliseconds per second of audio, and how many seconds of audio the whole analyses per
 * processor second. Stages run one by one on the same signal; the last row runs them together, as an analysis does.
 *
 * Run from the root:  npx tsx engine/bench/bench-stages.ts [seconds of audio] [repetitions]
 * The least of the repetitions counts: on a shared machine everything else measures the neighbours.
 */

import { loadModels } from '../models/load-models.ts';
import { analyse } from '../src/analyse.ts';
import { describeContent } from '../src/content/content.ts';
import { createChromaprintCollector } from '../src/fingerprint/chromaprint.ts';
import { createLoudnessMeter } from '../src/loudness/loudness.ts';
import { createQualityInspector } from '../src/quality/quality.ts';
import { analyseRhythm } from '../src/rhythm/analyse-rhythm.ts';
import {
  createBlockStage,
  STAGE_SAMPLES,
  STAGE_STRIDE_SAMPLES,
  type StagedBlock,
} from '../src/signal/block-stage.ts';
import { createFrontEnd, type SpectralFrames } from '../src/signal/front-end.ts';
import { createKernels, type Kernels } from '../src/signal/kernels.ts';
import { createMeanSpectrumMeter, type MeanSpectrum } from '../src/signal/mean-spectrum.ts';
import { makeMusic } from '../src/signal/test-signals.ts';
import { analyseStructure } from '../src/structure/analyse-structure.ts';
import { measureTimbre } from '../src/timbre/timbre.ts';
import { analyseTonal } from '../src/tonal/analyse-tonal.ts';
import { hearHarmony } from '../src/tonal/hear-harmony.ts';
import { createWaveformCollector } from '../src/waveform/waveform.ts';

const SAMPLE_RATE_HZ = 44_100;
const FORMAT = { sampleRateHz: SAMPLE_RATE_HZ, channelCount: 2 };
const BLOCK_SAMPLES = 16_384;

const audioSeconds = Number(process.argv[2] ?? 120);
const repetitions = Number(process.argv[3] ?? 5);
const channels = [makeMusic(SAMPLE_RATE_HZ, audioSeconds, 1), makeMusic(SAMPLE_RATE_HZ, audioSeconds, 2)];
const blocks = Array.from({ length: Math.ceil(channels[0]!.length / BLOCK_SAMPLES) }, (_, i) => ({
  channels: channels.map((samples) => samples.subarray(i * BLOCK_SAMPLES, (i + 1) * BLOCK_SAMPLES)),
}));
const models = loadModels();

/** Runs a stage that takes blocks, after the entrance that all of them share. */
function stream<Result>(
  create: (kernels: Kernels) => { take(block: StagedBlock): void; finish(): Result },
): Result {
  const kernels = createKernels();
  const consumer = create(kernels);
  const stage = createBlockStage(kernels, FORMAT.channelCount, consumer.take);
  for (const block of blocks) stage.push(block);
  stage.finish();
  return consumer.finish();
}

/** The same for a stage that takes the mean of the channels. */
function streamMono<Result>(
  create: (kernels: Kernels) => { take(input: number, count: number): void; finish(): Result },
): Result {
  return stream((kernels) => {
    const mono = kernels.allocateFloats(STAGE_SAMPLES);
    const consumer = create(kernels);
    return {
      take({ channels: pointers, sampleCount }) {
        kernels.exports.mixToMono(
          pointers[0]!,
          STAGE_STRIDE_SAMPLES,
          pointers.length,
          mono.pointer,
          sampleCount,
        );
        consumer.take(mono.pointer, sampleCount);
      },
      finish: consumer.finish,
    };
  });
}

const takeFrames = (): SpectralFrames =>
  streamMono((kernels) => {
    const frontEnd = createFrontEnd(kernels, SAMPLE_RATE_HZ, STAGE_SAMPLES);
    return { take: frontEnd.push, finish: frontEnd.finish };
  });
const takeSpectrum = (): MeanSpectrum =>
  streamMono((kernels) => createMeanSpectrumMeter(kernels, SAMPLE_RATE_HZ));
const inspect = (spectrum: MeanSpectrum): unknown =>
  stream((kernels) => {
    const inspector = createQualityInspector(kernels, FORMAT, { binHz: 22_050 / 8192, sineGain: 2048 });
    return {
      take: inspector.take,
      finish: () => inspector.finish({ spectrum, nonFiniteSamples: 0, durationSeconds: audioSeconds }),
    };
  });

function measureCpuMs(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000 / audioSeconds);
  }
  return least;
}

const frames = takeFrames();
const spectrum = takeSpectrum();
const loudness = stream((kernels) => createLoudnessMeter(kernels, SAMPLE_RATE_HZ, 2));
const harmony = hearHarmony({ ...frames, model: models.chords });
const chords = harmony.learned?.activation;
const heard = analyseRhythm({ ...frames, model: models.beats, chords });
const { beats, downbeats } = heard.rhythm;
const pitched = analyseTonal({ ...frames, beats, harmony });

const entranceMs = measureCpuMs(() => stream(() => ({ take() {}, finish() {} })));
const stages: [name: string, run: () => unknown, shared: number][] = [
  ['front end: resampling, mel and pitch frames', takeFrames, entranceMs],
  ['mean spectrum', takeSpectrum, entranceMs],
  [
    'loudness and true peak',
    () => stream((kernels) => createLoudnessMeter(kernels, SAMPLE_RATE_HZ, 2)),
    entranceMs,
  ],
  ['quality', () => inspect(spectrum), entranceMs],
  ['waveform', () => streamMono((kernels) => createWaveformCollector(kernels, SAMPLE_RATE_HZ)), entranceMs],
  [
    'fingerprint (first 120 s)',
    () => stream((kernels) => createChromaprintCollector(kernels, SAMPLE_RATE_HZ, 2)),
    entranceMs,
  ],
  ['timbre', () => measureTimbre(frames, spectrum), 0],
  [
    'content',
    () =>
      describeContent(
        frames,
        beats.map(({ timeSeconds }) => timeSeconds),
      ),
    0,
  ],
  ['tuning and the chord network', () => hearHarmony({ ...frames, model: models.chords }), 0],
  ['rhythm, with the network', () => analyseRhythm({ ...frames, model: models.beats, chords }), 0],
  ['keys and chords', () => analyseTonal({ ...frames, beats, harmony }), 0],
  [
    'structure',
    () =>
      analyseStructure({
        ...frames,
        beatsSeconds: beats.map(({ timeSeconds }) => timeSeconds),
        downbeatsSeconds: downbeats.map(({ timeSeconds }) => timeSeconds),
        tonal: pitched.tonal,
        loudness: loudness.loudness.shortTerm,
        voice: null,
      }),
    0,
  ],
];

const rows = stages.map(([name, run, shared]) => [name, Math.max(0, measureCpuMs(run) - shared)] as const);
const wholeMs = measureCpuMs(() => analyse(FORMAT, blocks, {}, models));
const print = (name: string, ms: number): void => {
  process.stdout.write(`| ${name} | ${ms.toFixed(2)} | ${(1000 / ms).toFixed(0)} |\n`);
};
process.stdout.write(
  `| stage | CPU ms per second of audio | seconds of audio per CPU second |\n|---|---|---|\n`,
);
print('entrance', entranceMs);
for (const [name, ms] of rows) print(name, ms);
print('**the whole analysis**', wholeMs);
