/**
 * What this machine has handed over, a line a song, so that a run after a crash need not read a hundred thousand files again to
 * find out. Only a shortcut: the service itself knows which bytes it has, so a journal that is lost costs time and nothing else.
 */

import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { credentialsPath } from '../account/credentials.ts';
import type { Source } from './sources.ts';

export type Journal = {
  /** True for a file that was handed over and has not changed since; false where nothing tells whether it has. */
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

export function openJournal(service: string, root: string, apiKeyHash: string): Journal {
  const id = createHash('sha256').update(`${service}\n${root}\n${apiKeyHash}`).digest('hex').slice(0, 16);
  const path = join(dirname(credentialsPath()), 'imports', `${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const known = new Map(readLines(path).map((line) => [line.name, line]));
  return {
    has: ({ name, byteSize, version }) => {
      const line = known.get(name);
      return line !== undefined && version !== null && line.size === byteSize && line.version === version;
    },
    add({ name, byteSize, version }, { sha256, jobId }) {
      const line: Line = { name, size: byteSize, version, sha256, job_id: jobId };
      known.set(name, line);
      appendFileSync(path, `${JSON.stringify(line)}\n`);
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
  // The last line may be half of one: the machine may have lost its power while it was written.
  const lines = text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Line | { job_id: null }];
    } catch {
      return [];
    }
  });
  // Earlier versions noted down songs without a job, which perhaps nobody has handed over.
  return lines.filter((line): line is Line => line.job_id !== null);
}
