import { createHash } from 'node:crypto';
import type { Evidence } from './evidence.ts';

/**
 * I5: bytes exist while an analysis needs them, and no bytes exist without a row. Bytes are deleted before their row, so a process that
 * dies in between leaves a row without bytes, which the sweep removes.
 */
export function checkObjects({ objects, objectFiles, analyses }: Evidence): string[] {
  const problems: string[] = [];
  const needed = new Set(
    analyses
      .filter(
        (row) =>
          row.deleted_at === null && (row.retain_source || ['queued', 'processing'].includes(row.status)),
      )
      .map((row) => row.storage_object_id),
  );
  const rows = new Map(objects.map((object) => [object.key, object]));
  for (const { id, key, status, byte_size, sha256 } of objects) {
    const bytes = objectFiles.get(key);
    if (status === 'deleted' && bytes) problems.push(`${id} was deleted and its bytes still exist`);
    if (status !== 'stored') {
      if (needed.has(id)) problems.push(`${id} is still needed and is ${status}`);
      continue;
    }
    if (!bytes) {
      if (needed.has(id)) problems.push(`${id} is still needed and its bytes are gone`);
    } else if (bytes.length !== byte_size)
      problems.push(`${id} has ${bytes.length} bytes instead of ${byte_size}`);
    else if (sha256 !== null && createHash('sha256').update(bytes).digest('hex') !== sha256)
      problems.push(`${id} has bytes other than those received`);
  }
  for (const key of objectFiles.keys()) if (!rows.has(key)) problems.push(`${key} is a file without a row`);
  const ids = new Set(objects.map(({ id }) => id));
  for (const { id, storage_object_id } of analyses)
    if (storage_object_id !== null && !ids.has(storage_object_id)) problems.push(`${id} points to no object`);
  return problems;
}
