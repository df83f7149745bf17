import { crc32, deflateSync } from 'node:zlib';
import type { Heatmap } from '@earshot/engine';
import { heatColour } from './palette.ts';

/** A palette PNG (W3C PNG specification, third edition), the lowest row at the bottom. */
export function heatmapToPng(heatmap: Heatmap): Uint8Array {
  const { rowCount, columnCount, values } = heatmap;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(columnCount, 0);
  header.writeUInt32BE(rowCount, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const palette = Buffer.from(Array.from({ length: 256 }, (_, value) => [...heatColour(value)]).flat());
  const pixels = Buffer.alloc(rowCount * (columnCount + 1));
  for (let row = 0; row < rowCount; row++) {
    // Each line begins with the number of its filter; 0 is none.
    const source = (rowCount - 1 - row) * columnCount;
    pixels.set(values.subarray(source, source + columnCount), row * (columnCount + 1) + 1);
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(pixels, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
