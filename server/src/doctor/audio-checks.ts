import { activeWalls, missingWalls, SANDBOX_WALLS, type SandboxWall, WALL_MEANINGS } from '@earshot/decode';
import { type AnalysisModels, analyse } from '@earshot/engine';
import { loadModels } from '@earshot/engine/models';
import { type Check, ok, warning } from './check.ts';

const SAMPLE_RATE_HZ = 22_050;
/**
 * Long enough for every model to run. The test sound has a decaying tone on each beat, over a soft sustained one: for clicks alone the
 * engine would not use the beat network.
 */
const DURATION_SECONDS = 8;
const BEAT_SECONDS = 0.5;
const TONE_HZ = 440;
const DECAY_SAMPLES = 800;
const PEAK_AMPLITUDE = 0.5;
const DRONE_HZ = 220;
const DRONE_AMPLITUDE = 0.1;

export function checkSandbox(
  optional: readonly SandboxWall[],
  findWalls: () => Promise<SandboxWall[]> = activeWalls,
): Check {
  return {
    name: 'sandbox',
    async run() {
      const walls = await findWalls();
      const active = `decoders run behind ${walls.join(', ')}`;
      const absent = SANDBOX_WALLS.filter((wall) => !walls.includes(wall)).map(
        (wall) => `without ${wall}: ${WALL_MEANINGS[wall]}`,
      );
      const missing = missingWalls(walls, optional);
      return missing.length === 0
        ? ok([active, ...absent].join('\n'))
        : warning([active, ...absent, `a worker in production needs: ${missing.join(', ')}`].join('\n'));
    },
  };
}

/** Analyses a few seconds of notes with every model: a truncated file fails here. The hashes that are printed tell an altered one. */
export function checkModels(load: () => AnalysisModels = loadModels): Check {
  return {
    name: 'models',
    async run() {
      const models = load();
      const absent = Object.entries(models).flatMap(([name, bytes]) => (bytes === null ? [name] : []));
      const format = { sampleRateHz: SAMPLE_RATE_HZ, channelCount: 1 };
      const { models: used } = analyse(format, [{ channels: [makeNotes()] }], {}, models);
      const named = used.map(
        ({ name, version, sha256 }) => `${name} v${version} sha256 ${sha256.slice(0, 16)}…`,
      );
      return absent.length === 0
        ? ok(named.join('\n'))
        : warning(
            `${absent.join(' and ')} missing: the engine uses older, less accurate methods, or leaves values null`,
          );
    },
  };
}

function makeNotes(): Float32Array {
  const samples = new Float32Array(SAMPLE_RATE_HZ * DURATION_SECONDS);
  for (let index = 0; index < samples.length; index++) {
    const sinceBeatSamples = index % Math.round(BEAT_SECONDS * SAMPLE_RATE_HZ);
    const tone = Math.sin((2 * Math.PI * TONE_HZ * index) / SAMPLE_RATE_HZ);
    const drone = Math.sin((2 * Math.PI * DRONE_HZ * index) / SAMPLE_RATE_HZ);
    samples[index] =
      PEAK_AMPLITUDE * tone * Math.exp(-sinceBeatSamples / DECAY_SAMPLES) + DRONE_AMPLITUDE * drone;
  }
  return samples;
}
