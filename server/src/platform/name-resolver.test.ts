import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNameResolver } from './name-resolver.ts';

/** A DNS server: `both.test` has an address of each family, `four.test` only an IPv4 address, `six6.test` only an IPv6 address. */
const server = createSocket('udp4');
/** By name, whose first label always has four letters, and type of record: 1 is A (RFC 1035), 28 is AAAA (RFC 3596). */
const ADDRESSES: Record<string, Record<number, Buffer>> = {
  'both.test': { 1: Buffer.from([192, 0, 2, 7]), 28: Buffer.from('20010db8000000000000000000000007', 'hex') },
  'six6.test': { 28: Buffer.from('20010db8000000000000000000000009', 'hex') },
  'four.test': { 1: Buffer.from([192, 0, 2, 8]) },
};

/** RFC 1035, section 4: a header of 12 bytes, the name as labels behind their lengths, type and class; then a record. */
function answer(question: Buffer): Buffer {
  const name = question.toString('latin1', 13, 22).replace('\u0004', '.');
  const end = question.indexOf(0, 12) + 5;
  const data = ADDRESSES[name]?.[question.readUInt16BE(end - 4)];
  const header = Buffer.from(question.subarray(0, 12));
  // The flags of a response without error, or with "no such name" (RFC 1035, section 4.1.1).
  header.writeUInt16BE(name in ADDRESSES ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(data ? 1 : 0, 6);
  header.writeUInt16BE(0, 10);
  const record = Buffer.alloc(12);
  // A pointer to the name at byte 12 (section 4.1.4).
  record.writeUInt16BE(0xc00c, 0);
  question.copy(record, 2, end - 4, end);
  record.writeUInt16BE(data?.length ?? 0, 10);
  return Buffer.concat([header, question.subarray(12, end), ...(data ? [record, data] : [])]);
}

beforeAll(async () => {
  server.on('message', (packet, from) => server.send(answer(packet), from.port, from.address));
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

const resolverOfServer = () => createNameResolver([`127.0.0.1:${(server.address() as AddressInfo).port}`]);

it('asks the configured server for both families', async () => {
  expect(await resolverOfServer()('both.test')).toEqual([
    { address: '192.0.2.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
});

it('resolves a name with addresses of only one family', async () => {
  expect(await resolverOfServer()('four.test')).toEqual([{ address: '192.0.2.8', family: 4 }]);
  expect(await resolverOfServer()('six6.test')).toEqual([{ address: '2001:db8::9', family: 6 }]);
});

it('fails with ENOTFOUND for an unknown name', async () => {
  await expect(resolverOfServer()('none.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

it('asks the system when no server is configured', async () => {
  expect((await createNameResolver([])('127.0.0.1')).map(({ address }) => address)).toEqual(['127.0.0.1']);
});
