import type { ByteRange } from '../platform/storage.ts';

/**
 * What a Range header asks of `byteSize` bytes (RFC 9110, 14.2): null for the whole, which is also the answer to several
 * ranges, other units and nonsense; 'unsatisfiable' when it begins behind the end.
 */
export function readByteRange(
  header: string | undefined,
  byteSize: number,
): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, first, last] = match;
  if (first === '') {
    const suffix = Math.min(Number(last), byteSize);
    return suffix === 0 ? 'unsatisfiable' : { firstByte: byteSize - suffix, lastByte: byteSize - 1 };
  }
  const firstByte = Number(first);
  const lastByte = last === '' ? byteSize - 1 : Math.min(Number(last), byteSize - 1);
  if (last !== '' && Number(last) < firstByte) return null;
  return firstByte >= byteSize ? 'unsatisfiable' : { firstByte, lastByte };
}
