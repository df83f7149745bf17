import type { ByteRange } from '../platform/storage.ts';

/**
 * The range that a Range header requests (RFC 9110, section 14.2). Null when the whole body is to be sent, as it is for several
 * ranges, other units and malformed headers; 'unsatisfiable' when the range contains no existing byte.
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
