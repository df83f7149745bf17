import { box, readBoxes } from './mp4-boxes.ts';

/** Moves the `moov` at the end of an M4A behind its first box, and adjusts the 32-bit chunk offsets. */
export function moveMoovFirst(file: Uint8Array): Uint8Array {
  const top = readBoxes(file);
  const moov = top.find(({ type }) => type === 'moov')!;
  const [first, ...others] = top.filter((part) => part !== moov);
  const moved = shiftTables(moov.body, moov.bytes.length);
  return Buffer.concat([first!.bytes, box('moov', moved), ...others.map(({ bytes }) => bytes)]);
}

const PARENTS = ['trak', 'mdia', 'minf', 'stbl'];

function shiftTables(body: Uint8Array, byBytes: number): Uint8Array {
  return Buffer.concat(
    readBoxes(body).map((child) => {
      if (PARENTS.includes(child.type)) return box(child.type, shiftTables(child.body, byBytes));
      if (child.type !== 'stco') return child.bytes;
      const table = Buffer.from(child.body);
      for (let at = 8; at + 4 <= table.length; at += 4)
        table.writeUInt32BE(table.readUInt32BE(at) + byBytes, at);
      return box('stco', table);
    }),
  );
}
