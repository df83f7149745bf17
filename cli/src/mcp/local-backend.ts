/** Songs of this machine, listened to on this machine; what was heard is kept for as long as the server runs. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Analysed, Backend } from '@earshot/mcp';
import type { Analyser, Song } from '../analyze/song.ts';
import { downloadFile } from './download-file.ts';

/** Results are about a megabyte each. */
const SONGS_MAX = 100;

export function createLocalBackend(analyse: Analyser): Backend {
  const songs = new Map<string, Song>();

  async function listen(path: string, onProgress: (fraction: number) => void): Promise<Analysed> {
    const song = await analyse(path, onProgress);
    const id = `local_${randomUUID().slice(0, 8)}`;
    songs.set(id, song);
    const [oldest] = songs.keys();
    if (songs.size > SONGS_MAX) songs.delete(oldest!);
    return present(id, song);
  }
  function get(id: string): Song {
    const song = songs.get(id);
    if (!song) throw new Error(`There is no analysis ${id} here. Analyse the song first.`);
    return song;
  }

  return {
    analyseFile: (path, { onProgress }) => listen(path, onProgress),
    async analyseUrl(url, { onProgress, signal }) {
      const folder = await mkdtemp(join(tmpdir(), 'earshot-mcp-'));
      try {
        return await listen(await downloadFile(url, folder, signal), onProgress);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    find: async (id) => present(id, get(id)),
    list: async (limit) =>
      [...songs]
        .reverse()
        .slice(0, limit)
        .map(([id, song]) => {
          const { result: _, ...item } = present(id, song);
          return item;
        }),
    writeExport: async (id, format) => Buffer.from(await get(id).writeExport(format)),
  };
}

function present(id: string, song: Song): Analysed {
  return {
    id,
    status: 'completed',
    name: basename(song.path),
    progress: 1,
    // The service's result is written by the very function that writes ours.
    result: song.result as unknown as Analysed['result'],
    error: null,
  };
}
