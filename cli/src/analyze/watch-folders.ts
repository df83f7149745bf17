import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { explainUnreadable } from '@earshot/mcp/open-file';
import { type FindOptions, findAudioFiles } from './find-audio-files.ts';

/**
 * Yields the audio files below these folders, present and future: each when it has stopped growing, and again when it has changed.
 * Polls every `intervalMs` instead of using the system's notifications, because polling works on network drives too and sees a
 * slow copy once, complete. When one of `inputs` disappears for a while, such as a drive, all are watched again once it is back.
 * `warn` gets each sentence about an unreadable file or folder once.
 */
export async function* watchFolders(
  inputs: readonly string[],
  options: FindOptions & { intervalMs: number; signal: AbortSignal },
): AsyncGenerator<string> {
  const warned = new Set<string>();
  const scan = () =>
    readStates(inputs, {
      exceptFolder: options.exceptFolder,
      warn(sentence) {
        if (!warned.has(sentence)) options.warn(sentence);
        warned.add(sentence);
      },
    });
  let before = scan();
  const yielded = new Map<string, string>();
  while (!options.signal.aborted) {
    await delay(options.intervalMs, undefined, { signal: options.signal }).catch(() => undefined);
    const now = tryScan(scan);
    if (now === null) continue;
    for (const [path, state] of now) {
      if (options.signal.aborted) return;
      if (before.get(path) !== state || yielded.get(path) === state) continue;
      yielded.set(path, state);
      yield path;
    }
    before = now;
  }
}

/** Size and modification time of each audio file, which change with its contents. */
function readStates(inputs: readonly string[], options: FindOptions): Map<string, string> {
  const states = new Map<string, string>();
  for (const path of findAudioFiles(inputs, options)) {
    try {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat) states.set(path, `${stat.size}/${stat.mtimeMs}`);
    } catch (error) {
      options.warn(explainUnreadable(path, error as NodeJS.ErrnoException));
    }
  }
  return states;
}

/** Null while a folder cannot be read. */
function tryScan(scan: () => Map<string, string>): Map<string, string> | null {
  try {
    return scan();
  } catch {
    return null;
  }
}
