import { u32 } from './mp4-bytes.ts';

/** An EBML element with a size of four bytes (RFC 8794); ids as RFC 9559 lists them. */
export function element(id: number[], ...parts: number[][]): number[] {
  const body = parts.flat();
  return [...id, ...u32(0x1000_0000 + body.length), ...body];
}
