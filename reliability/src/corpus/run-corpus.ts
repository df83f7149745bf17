import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DECODE_ERROR_CODES, DecodeError, type DecodeErrorCode, decodeFile } from '@earshot/decode';
import { findOwnDecoders, findPersistent } from '../child-processes.ts';
import { createRandom } from '../random.ts';
import type { Figures, Outcome } from '../scenario.ts';
import { secondsOf } from '../seconds.ts';
import { makeTone } from '../tone.ts';
import { type CorpusFile, generateCorpus } from './corpus.ts';

/** Smaller than the service's own limits, so that a file that exhausts them does not take long. */
const LIMITS = { durationSecondsMax: 600, cpuSecondsMax: 60, wallSecondsMax: 60, stallSecondsMax: 30 };
/** The wall limit of 60 s, and the time that a process takes to start and to exit. */
const DECODE_SECONDS_MAX = 65;
/** The memory limit of the decoder is 400 MB (decode/src/limits.ts); the rest is Node's own. */
const RESIDENT_MEGABYTES_MAX = 512;
/** An idle Node takes 40 MB: with less than this, only the launcher of the decoder was measured. */
const RESIDENT_MEGABYTES_MIN = 30;
const FILES_AT_ONCE = 4;
const REPORT_EVERY_FILES = 200;
const MEMORY_POLL_MS = 100;
/** Every twentieth file is decoded twice, to compare the outcomes. */
const TWICE_EVERY_FILES = 20;

type Verdict = {
  outcome: 'decoded' | DecodeErrorCode;
  seconds: number;
  /** Of the samples, to compare two decodings. */
  fingerprint: string;
  problem: string | null;
};

/** Decodes every file of the corpus as the service does: in a separate process, behind the sandbox walls. */
export async function runCorpus(seed: string): Promise<Outcome> {
  const startedMs = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'earshot-corpus-'));
  const memory = watchMemory();
  try {
    const canary = await plantCanary(join(folder, 'canary.wav'));
    const outcomes = new Map<string, number>();
    const problems: string[] = [];
    let inputCount = 0;
    let slowestSeconds = 0;
    const files = generateCorpus(createRandom(seed), canary.path);
    const worker = async (lane: number) => {
      for (let next = await files.next(); !next.done; next = await files.next()) {
        const twice = inputCount % TWICE_EVERY_FILES === 0;
        inputCount += 1;
        const verdict = await judge(next.value, join(folder, `input-${lane}`), twice);
        outcomes.set(verdict.outcome, (outcomes.get(verdict.outcome) ?? 0) + 1);
        slowestSeconds = Math.max(slowestSeconds, verdict.seconds);
        if (inputCount % REPORT_EVERY_FILES === 0)
          console.log(`      ${inputCount} files so far, ${problems.length} problems`);
        if (verdict.problem !== null) problems.push(`${next.value.name}: ${verdict.problem}`);
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, (_, lane) => worker(lane)));
    const residentMegabytes = memory.stop();
    if (residentMegabytes > RESIDENT_MEGABYTES_MAX) problems.push(`a decoder took ${residentMegabytes} MB`);
    if (residentMegabytes < RESIDENT_MEGABYTES_MIN)
      problems.push(`no decoder was measured: the largest process had ${residentMegabytes} MB`);
    if ((await findPersistent(findOwnDecoders)).length > 0) problems.push('decoders are still running');
    if (await canary.wasRead()) problems.push('the file of another tenant was read');
    const figures: Figures = {
      inputs: inputCount,
      ...Object.fromEntries([...outcomes].sort()),
      'slowest, seconds': secondsOf(1000 * slowestSeconds),
      'largest decoder, MB': residentMegabytes,
    };
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    return { name: 'hostile audio', seed, seconds, figures, violations: [], problems };
  } finally {
    memory.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function judge(file: CorpusFile, path: string, twice: boolean): Promise<Verdict> {
  await writeFile(path, file.bytes);
  const first = await decode(path);
  if (!twice || first.problem !== null) return first;
  const second = await decode(path);
  const same = second.outcome === first.outcome && second.fingerprint === first.fingerprint;
  return same ? first : { ...first, problem: `first ${first.outcome}, then ${second.outcome}` };
}

async function decode(path: string): Promise<Verdict> {
  const startedMs = performance.now();
  const elapsedSeconds = () => (performance.now() - startedMs) / 1000;
  let sampleCount = 0;
  let sum = 0;
  const verdictOf = (outcome: Verdict['outcome']) => ({
    outcome,
    seconds: elapsedSeconds(),
    fingerprint: `${sampleCount} ${sum}`,
  });
  try {
    const session = await decodeFile(path, { limits: LIMITS });
    for await (const { channels } of session.blocks) {
      for (const channel of channels) {
        sampleCount += channel.length;
        for (const value of channel) sum += Math.abs(value);
      }
    }
    await session.finish();
    return {
      ...verdictOf('decoded'),
      problem: Number.isFinite(sum) ? tooSlow(elapsedSeconds()) : 'samples that are not finite',
    };
  } catch (error) {
    if (!(error instanceof DecodeError) || !DECODE_ERROR_CODES.includes(error.code))
      return { ...verdictOf('decoder_failed'), problem: `threw ${String(error)}` };
    const { code } = error;
    const problem =
      code === 'decoder_failed'
        ? `the decoder failed: ${String(error.cause ?? error.message)}`
        : tooSlow(elapsedSeconds());
    return { ...verdictOf(code), problem };
  }
}

function tooSlow(seconds: number): string | null {
  return seconds > DECODE_SECONDS_MAX ? `took ${Math.round(seconds)} s` : null;
}

/** A file that no input may make the decoder read. Its access time is older than its change, so that even with `relatime` a read shows. */
async function plantCanary(path: string): Promise<{ path: string; wasRead(): Promise<boolean> }> {
  await writeFile(path, makeTone({ toneHz: 997 }));
  const accessed = new Date(Date.now() - 10 * 24 * 3600 * 1000);
  await utimes(path, accessed, new Date());
  return { path, wasRead: async () => (await stat(path)).atimeMs > accessed.getTime() + 1000 };
}

/** The largest peak of resident memory among all decoders, in MB; the kernel keeps the peak of each process. */
function watchMemory(): { stop(): number } {
  let peakKilobytes = 0;
  const timer = setInterval(async () => {
    for (const pid of findOwnDecoders()) {
      const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
      peakKilobytes = Math.max(peakKilobytes, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0));
    }
  }, MEMORY_POLL_MS);
  return {
    stop() {
      clearInterval(timer);
      return Math.round(peakKilobytes / 1024);
    },
  };
}
