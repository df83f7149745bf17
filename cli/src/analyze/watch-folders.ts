import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { findAudioFiles } from './find-audio-files.ts';

/**
 * Audio files below these folders, now and from now on, each when it has stopped growing and again when it changed. It
 * looks every `intervalMs` rather than asking the system to tell: that works on network drives too, and a copy that
 * takes a minute is seen once, whole.
 */
export async function* watchFolders(
  inputs: readonly string[],
  options: { exceptFolder: string | null; intervalMs: number; signal: AbortSignal },
): AsyncGenerator<string> {
  let before = new Map<string, string>();
  const given = new Map<string, string>();
  while (!options.signal.aborted) {
    const now = new Map<string, string>();
    for (const path of findAudioFiles(inputs, options.exceptFolder)) {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat) now.set(path, `${stat.size}/${stat.mtimeMs}`);
    }
    for (const [path, state] of now) {
      if (options.signal.aborted) return;
      if (before.get(path) !== state || given.get(path) === state) continue;
      given.set(path, state);
      yield path;
    }
    before = now;
    await delay(options.intervalMs, undefined, { signal: options.signal }).catch(() => undefined);
  }
}
