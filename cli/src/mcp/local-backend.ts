/** The MCP backend that analyses on this machine. Keeps the newest analyses while the server runs. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { basename } from 'node:path';
import type { AnalysisState, Backend, Watch } from '@earshot/mcp';
import { startDeadline } from '@earshot/sdk';
import type { Analyser, Song } from '../analyze/song.ts';
import { openTemporaryFolder } from '../temporary-folder.ts';
import { downloadFile, fileNameOf } from './download-file.ts';

/** About 100 MB: a result is about a megabyte. */
const ANALYSES_MAX = 100;

type LocalAnalysis = {
  name: string | null;
  /** Done, 0 to 1. */
  fraction: number;
  song: Song | null;
  failure: Error | null;
  /** Resolves whether it succeeded or failed. */
  ended: Promise<void>;
  /** The calls that wait for it. */
  watches: Set<Watch>;
};

type Work = (onProgress: (fraction: number) => void) => Promise<Song>;

export function createLocalBackend(analyse: Analyser): Backend {
  const analyses = new Map<string, LocalAnalysis>();

  /** Throws when the analysis fails while the caller waits; a later failure is reported by `get`. */
  async function begin(name: string | null, work: Work, watch: Watch): Promise<AnalysisState> {
    const id = `local_${randomUUID().slice(0, 8)}`;
    const analysis = startWork(name, work);
    analyses.set(id, analysis);
    const [oldest] = analyses.keys();
    if (analyses.size > ANALYSES_MAX) analyses.delete(oldest!);
    try {
      await waitFor(analysis, watch);
      if (analysis.failure) throw analysis.failure;
    } catch (error) {
      analyses.delete(id);
      throw error;
    }
    return present(id, analysis);
  }
  function get(id: string): LocalAnalysis {
    const analysis = analyses.get(id);
    if (analysis) return analysis;
    throw new Error(
      `There is no analysis ${id} here: the newest ${ANALYSES_MAX} are kept while the server runs. Analyse the song again.`,
    );
  }

  return {
    service: null,
    // Canceling a call stops its analysis. Once the call has been answered its signal never aborts, and the analysis continues.
    analyseFile: (path, watch) =>
      begin(basename(path), (onProgress) => analyse(path, onProgress, watch.signal), watch),
    analyseUrl: (url, watch) =>
      begin(
        fileNameOf(url),
        async (onProgress) => {
          const folder = openTemporaryFolder('earshot-mcp-');
          try {
            return await analyse(
              await downloadFile(url, folder.path, watch.signal),
              onProgress,
              watch.signal,
            );
          } finally {
            await folder.dispose();
          }
        },
        watch,
      ),
    async get(id, watch) {
      const analysis = get(id);
      await waitFor(analysis, watch);
      return present(id, analysis);
    },
    list: async (limit) =>
      [...analyses]
        .reverse()
        .slice(0, limit)
        .map(([id, analysis]) => {
          const { result: _, ...item } = present(id, analysis);
          return item;
        }),
    async writeExport(id, format) {
      const analysis = get(id);
      if (!analysis.song) throw new Error(`${id} is ${present(id, analysis).status} and has no result.`);
      return Buffer.from(await analysis.song.writeExport(format));
    },
  };
}

function startWork(name: string | null, work: Work): LocalAnalysis {
  const watches = new Set<Watch>();
  const onProgress = (fraction: number) => {
    analysis.fraction = fraction;
    for (const watch of watches) watch.onProgress(fraction);
  };
  const analysis: LocalAnalysis = {
    name,
    fraction: 0,
    song: null,
    failure: null,
    ended: work(onProgress).then(
      (song) => {
        analysis.song = song;
      },
      (error: Error) => {
        analysis.failure = error;
      },
    ),
    watches,
  };
  return analysis;
}

/** Returns when the analysis has ended or the time is over; throws when the caller cancels. */
async function waitFor(analysis: LocalAnalysis, watch: Watch): Promise<void> {
  watch.signal.throwIfAborted();
  const deadline = startDeadline(watch.waitMs, watch.signal);
  analysis.watches.add(watch);
  try {
    await Promise.race([analysis.ended, once(deadline.signal, 'abort')]);
  } finally {
    analysis.watches.delete(watch);
    deadline.clear();
  }
  watch.signal.throwIfAborted();
}

function present(id: string, { name, fraction, song, failure }: LocalAnalysis): AnalysisState {
  return {
    id,
    status: song ? 'completed' : failure ? 'failed' : 'processing',
    name,
    progress: song ? 1 : fraction,
    // The service builds its results with the same function.
    result: (song?.result ?? null) as unknown as AnalysisState['result'],
    error: failure?.message ?? null,
  };
}
