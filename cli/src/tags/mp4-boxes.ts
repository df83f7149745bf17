/** Boxes of an MP4 file (ISO/IEC 14496-12, 4.2). */

import { TagsUnavailable } from './song-tags.ts';

export type Mp4Box = { type: string; start: number; end: number; bytes: Uint8Array; body: Uint8Array };

/** The boxes that `bytes` consists of; `start` and `end` are byte offsets in it. A list may end with four zero bytes (QuickTime). */
export function readBoxes(bytes: Uint8Array): Mp4Box[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const boxes: Mp4Box[] = [];
  for (let start = 0; start + 8 <= bytes.length; ) {
    const short = view.getUint32(start);
    const wide = short === 1 && start + 16 <= bytes.length;
    const sizeBytes = wide
      ? Number(view.getBigUint64(start + 8))
      : short === 0
        ? bytes.length - start
        : short;
    const headBytes = wide ? 16 : 8;
    const end = start + sizeBytes;
    if (sizeBytes < headBytes || end > bytes.length) throw new TagsUnavailable('its boxes are damaged');
    boxes.push({
      type: Buffer.from(bytes.subarray(start + 4, start + 8)).toString('latin1'),
      start,
      end,
      bytes: bytes.subarray(start, end),
      body: bytes.subarray(start + headBytes, end),
    });
    start = end;
  }
  return boxes;
}

export function box(type: string, body: Uint8Array): Uint8Array {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(head.length + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}
