import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type FindOptions, findAudioFiles } from './find-audio-files.ts';

/**
 * Audio files below these folders, now and from now on, each when it has stopped growing and again when it changed. It
 * looks every `intervalMs` rather than asking the system to tell: that works on network drives too, and a copy that
 * takes a minute is seen once, whole. A folder that is away for a while, as a drive is, is looked for again. `warn` is told
 * once what cannot be read.
 */
export async function* watchFolders(
  inputs: readonly string[],
  options: {
    exceptFolder: string | null;
    intervalMs: number;
    warn: (sentence: string) => void;
    signal: AbortSignal;
  },
): AsyncGenerator<string> {
  const warned = new Set<string>();
  const look = () =>
    lookAt(inputs, {
      exceptFolder: options.exceptFolder,
      warn(sentence) {
        if (!warned.has(sentence)) options.warn(sentence);
        warned.add(sentence);
      },
    });
  let before = look();
  const given = new Map<string, string>();
  while (!options.signal.aborted) {
    await delay(options.intervalMs, undefined, { signal: options.signal }).catch(() => undefined);
    const now = unlessAway(look);
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
function lookAt(inputs: readonly string[], options: FindOptions): Map<string, string> {
  const states = new Map<string, string>();
  for (const path of findAudioFiles(inputs, options)) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat) states.set(path, `${stat.size}/${stat.mtimeMs}`);
  }
  return states;
}

/** Null while a folder cannot be read. */
function unlessAway(look: () => Map<string, string>): Map<string, string> | null {
  try {
    return look();
  } catch {
    return null;
  }
}
