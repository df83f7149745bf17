/** The smallest pieces of MP4, Ogg and ID3, with sizes that may be lies. */

export function boxOf(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}

export function movieOf(parts: readonly Buffer[]): Buffer {
  return Buffer.concat([boxOf('ftyp', Buffer.from('M4A \0\0\0\0isom')), ...parts]);
}

/** The checksum is left zero: a reader that insists on it has found its reason. */
export function oggPageOf(options: {
  serial: number;
  sequence: number;
  body: Buffer;
  open?: boolean;
}): Buffer {
  const { serial, sequence, body } = options;
  const full = Math.floor(body.length / 255);
  const segments = options.open
    ? Buffer.alloc(full, 255)
    : Buffer.from([...Array(full).fill(255), body.length % 255]);
  const header = Buffer.alloc(27);
  header.write('OggS', 0);
  header[5] = options.open && sequence > 0 ? 1 : 0;
  header.writeUInt32LE(serial, 14);
  header.writeUInt32LE(sequence, 18);
  header[26] = segments.length;
  return Buffer.concat([header, segments, body]);
}

export function id3Of(
  frames: readonly { id: string; body: Buffer; declaredBytes?: number }[],
  declaredBytes?: number,
): Buffer {
  const body = Buffer.concat(
    frames.map(({ id, body: text, declaredBytes: declared = text.length }) =>
      Buffer.concat([Buffer.from(id), synchsafe(declared), Buffer.alloc(2), text]),
    ),
  );
  return Buffer.concat([
    Buffer.from('ID3\x04\x00\x00', 'latin1'),
    synchsafe(declaredBytes ?? body.length),
    body,
  ]);
}

/** Seven bits to a byte. */
function synchsafe(value: number): Buffer {
  return Buffer.from([(value >>> 21) & 0x7f, (value >>> 14) & 0x7f, (value >>> 7) & 0x7f, value & 0x7f]);
}
