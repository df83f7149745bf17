import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { writeZip } from './zip.ts';

/** Reads an archive from its end, as programs do (APPNOTE 6.3, 4.3). */
function read(zip: Buffer) {
  const end = zip.length - 22;
  expect(zip.readUInt32LE(end)).toBe(0x06054b50);
  const files: { name: string; content: string }[] = [];
  let at = zip.readUInt32LE(end + 16);
  expect(at + zip.readUInt32LE(end + 12)).toBe(end);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    expect(zip.readUInt32LE(at)).toBe(0x02014b50);
    const byteLength = zip.readUInt32LE(at + 24);
    const nameBytes = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes);
    const local = zip.readUInt32LE(at + 42);
    expect(zip.readUInt32LE(local)).toBe(0x04034b50);
    expect(zip.readUInt32LE(at + 20)).toBe(byteLength);
    // The local header repeats 24 bytes of the directory: from the version to the length of the name.
    expect(zip.subarray(local + 4, local + 28)).toEqual(zip.subarray(at + 6, at + 30));
    const content = zip.subarray(local + 30 + nameBytes, local + 30 + nameBytes + byteLength);
    expect(zip.readUInt32LE(at + 16)).toBe(crc32(content));
    files.push({ name, content: content.toString() });
    at += 46 + nameBytes;
  }
  return files;
}

it('is read back with the same names and contents', () => {
  const files = [
    { name: '001 Zoë.cho', content: 'one' },
    { name: '002 empty.cho', content: '' },
    { name: '003 聽.cho', content: 'three' },
  ];
  expect(read(writeZip(files.map(({ name, content }) => ({ name, content: Buffer.from(content) }))))).toEqual(
    files,
  );
});

it('marks names as UTF-8, and dates every file midnight, 1 January 1980', () => {
  const zip = writeZip([{ name: 'ü', content: Buffer.from('x') }]);
  expect(zip.readUInt16LE(6) & 0x0800).toBe(0x0800);
  expect([zip.readUInt16LE(10), zip.readUInt16LE(12)]).toEqual([0, 0x21]);
});

it('may be empty', () => {
  expect(read(writeZip([]))).toEqual([]);
});
