import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { findAudioFiles } from './find-audio-files.ts';

/**
 * Audio files below these folders, now and from now on, each when it has stopped growing and again when it changed. It
 * looks every `intervalMs` rather than asking the system to tell: that works on network drives too, and a copy that
 * takes a minute is seen once, whole. A folder that is away for a while, as a drive is, is looked for again.
 */
export async function* watchFolders(
  inputs: readonly string[],
  options: { exceptFolder: string | null; intervalMs: number; signal: AbortSignal },
): AsyncGenerator<string> {
  let before = look(inputs, options.exceptFolder);
  const given = new Map<string, string>();
  while (!options.signal.aborted) {
    await delay(options.intervalMs, undefined, { signal: options.signal }).catch(() => undefined);
    const now = lookAgain(inputs, options.exceptFolder);
    if (now === null) continue;
    for (const [path, state] of now) {
      if (options.signal.aborted) return;
      if (before.get(path) !== state || given.get(path) === state) continue;
      given.set(path, state);
      yield path;
    }
    before = now;
  }
}

/** Of each audio file below these folders what changes when it does. */
function look(inputs: readonly string[], exceptFolder: string | null): Map<string, string> {
  const states = new Map<string, string>();
  for (const path of findAudioFiles(inputs, exceptFolder)) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat) states.set(path, `${stat.size}/${stat.mtimeMs}`);
  }
  return states;
}

/** Null while a folder cannot be read. */
function lookAgain(inputs: readonly string[], exceptFolder: string | null): Map<string, string> | null {
  try {
    return look(inputs, exceptFolder);
  } catch {
    return null;
  }
}
