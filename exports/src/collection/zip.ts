import { crc32 } from 'node:zlib';

/** A ZIP archive (APPNOTE 6.3) of small texts. They are stored uncompressed: HTTP compresses the archive on the way. */
export function writeZip(files: readonly { name: string; content: Buffer }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offsetBytes = 0;
  for (const { name, content } of files) {
    const nameBytes = Buffer.from(name, 'utf8');
    const common = Buffer.alloc(26);
    // Readers need version 2.0. Flag 11: names are UTF-8. Method and time stay 0: not compressed, at midnight.
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    // 1 January 1980, the earliest date. A fixed one, so that the same songs give the same archive.
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, content);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offsetBytes, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, nameBytes);
    offsetBytes += 30 + nameBytes.length + content.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offsetBytes, 16);
  return Buffer.concat([...parts, central, end]);
}
