/**
 * The songs that this machine has imported, one line each, so that a repeated run need not read and hash every file again. Only an
 * optimisation: the service knows which bytes it has, so losing the journal costs time and nothing else.
 */

import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { credentialsPath } from '../account/credentials.ts';
import type { Source } from './sources.ts';

export type Journal = {
  /** Whether the file was imported and has not changed since; false when its version is unknown. */
  has(source: Source): boolean;
  add(source: Source, outcome: { sha256: string; jobId: string }): void;
};

type Line = {
  name: string;
  size: number | null;
  version: string | null;
  sha256: string;
  job_id: string;
};

/** `warn` gets one sentence if the journal cannot be read or written; it is then not used any more. */
export function openJournal(
  service: string,
  root: string,
  apiKeyHash: string,
  warn: (sentence: string) => void,
): Journal {
  const id = createHash('sha256').update(`${service}\n${root}\n${apiKeyHash}`).digest('hex').slice(0, 16);
  const path = join(dirname(credentialsPath()), 'imports', `${id}.jsonl`);
  const known = new Map<string, Line>();
  let isUsable = true;
  const tryAccess = (readOrWrite: () => void): void => {
    if (!isUsable) return;
    try {
      readOrWrite();
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      isUsable = false;
      const { code } = error as NodeJS.ErrnoException;
      warn(`The journal ${path} cannot be used (${code}): the next import reads every file again`);
    }
  };
  tryAccess(() => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    for (const line of readLines(path)) known.set(line.name, line);
  });
  return {
    has: ({ name, byteSize, version }) => {
      const line = known.get(name);
      return line !== undefined && version !== null && line.size === byteSize && line.version === version;
    },
    add({ name, byteSize, version }, { sha256, jobId }) {
      const line: Line = { name, size: byteSize, version, sha256, job_id: jobId };
      known.set(name, line);
      // The line break comes first, because the last line may be incomplete.
      tryAccess(() => appendFileSync(path, `\n${JSON.stringify(line)}`));
    },
  };
}

function readLines(path: string): Line[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  // A line may be incomplete after a crash or on a full disk.
  const lines = text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Line | { job_id: null }];
    } catch {
      return [];
    }
  });
  // Earlier versions also recorded songs without a job, which may never have been uploaded.
  return lines.filter((line): line is Line => line.job_id !== null);
}
