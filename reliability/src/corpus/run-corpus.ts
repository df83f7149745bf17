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

/** From the catalogue; the service's own limits are larger. */
const LIMITS = { durationSecondsMax: 600, cpuSecondsMax: 60, wallSecondsMax: 60, stallSecondsMax: 30 };
/** The wall limit of 60 s, and the time a process takes to start and to end. */
const DECODE_SECONDS_MAX = 65;
/** From the catalogue. */
const RESIDENT_MEGABYTES_MAX = 512;
/** An idle Node has 40 MB: with less than this, only the decoder's launcher was measured. */
const RESIDENT_MEGABYTES_MIN = 30;
const FILES_AT_ONCE = 4;
const REPORT_EVERY_FILES = 200;
const MEMORY_POLL_MS = 100;
/** Every twentieth file is decoded twice, to compare the outcomes. */
const TWICE_EVERY_FILES = 20;

type Verdict = {
  end: 'decoded' | DecodeErrorCode;
  seconds: number;
  /** Of the samples, to compare two decodings. */
  fingerprint: string;
  problem: string | null;
};

/** Decodes every file of the corpus as the service does: in a process of its own, behind its walls. */
export async function runCorpus(seed: string): Promise<Outcome> {
  const startedMs = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'earshot-corpus-'));
  const memory = watchMemory();
  try {
    const canary = await plantCanary(join(folder, 'canary.wav'));
    const ends = new Map<string, number>();
    const problems: string[] = [];
    let inputCount = 0;
    let slowestSeconds = 0;
    const files = generateCorpus(createRandom(seed), canary.path);
    const worker = async (lane: number) => {
      for (let next = await files.next(); !next.done; next = await files.next()) {
        const twice = inputCount % TWICE_EVERY_FILES === 0;
        inputCount += 1;
        const verdict = await judge(next.value, join(folder, `input-${lane}`), twice);
        ends.set(verdict.end, (ends.get(verdict.end) ?? 0) + 1);
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
    if ((await findPersistent(findOwnDecoders)).length > 0) problems.push('decoders are left over');
    if (await canary.wasRead()) problems.push('the file of another tenant was read');
    const figures: Figures = {
      inputs: inputCount,
      ...Object.fromEntries([...ends].sort()),
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
  const same = second.end === first.end && second.fingerprint === first.fingerprint;
  return same ? first : { ...first, problem: `first ${first.end}, then ${second.end}` };
}

async function decode(path: string): Promise<Verdict> {
  const startedMs = performance.now();
  const elapsed = () => (performance.now() - startedMs) / 1000;
  let sampleCount = 0;
  let sum = 0;
  try {
    const session = await decodeFile(path, { limits: LIMITS });
    for await (const { channels } of session.blocks) {
      for (const channel of channels) {
        sampleCount += channel.length;
        for (const value of channel) sum += Math.abs(value);
      }
    }
    await session.finish();
    const finite = Number.isFinite(sum);
    const verdict = { end: 'decoded', seconds: elapsed(), fingerprint: `${sampleCount} ${sum}` } as const;
    return { ...verdict, problem: finite ? tooSlow(elapsed()) : 'samples that are not finite' };
  } catch (error) {
    if (!(error instanceof DecodeError) || !DECODE_ERROR_CODES.includes(error.code))
      return {
        end: 'decoder_failed',
        seconds: elapsed(),
        fingerprint: '',
        problem: `threw ${String(error)}`,
      };
    const { code } = error;
    const problem =
      code === 'decoder_failed'
        ? `the decoder broke: ${String(error.cause ?? error.message)}`
        : tooSlow(elapsed());
    return { end: code, seconds: elapsed(), fingerprint: `${sampleCount} ${sum}`, problem };
  }
}

function tooSlow(seconds: number): string | null {
  return seconds > DECODE_SECONDS_MAX ? `took ${Math.round(seconds)} s` : null;
}

/** A file that no input may lead to. Its access time is before its change, so that a filesystem with relatime records a read. */
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
