/** Reads and writes the DNS packets (RFC 1035) of a lookup of one name. */

/** RFC 3596, section 2.1. */
export const TYPE_AAAA = 28;
const TYPE_CNAME = 5;
const CLASS_IN = 1;
/** RFC 1035, section 4.1.1. */
export const HEADER_BYTES = 12;
/** RFC 1035, section 4.2.1. */
const UDP_BYTES_MAX = 512;
/** A pointer to the name of the question, right after the header (RFC 1035, section 4.1.4). */
const ASKED_NAME = Buffer.from([0xc0, HEADER_BYTES]);

export type Question = { id: number; name: string; type: number; bytes: Buffer };
export type Rcode = 'no error' | 'server failure' | 'no such name';
const RCODES: Record<Rcode, number> = { 'no error': 0, 'server failure': 2, 'no such name': 3 };

export function readQuestion(packet: Buffer): Question {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join('.').toLowerCase();
  return {
    id: packet.readUInt16BE(0),
    name,
    type: packet.readUInt16BE(at + 1),
    bytes: packet.subarray(HEADER_BYTES, at + 5),
  };
}

/** An answer too long for UDP is sent without records and marked as truncated, so that the client repeats the question over TCP. */
export function writeAnswer(
  question: Question,
  answer: { rcode: Rcode; alias: string | null; addresses: readonly string[] },
  transport: 'udp' | 'tcp',
): Buffer {
  const owner = answer.alias === null ? ASKED_NAME : writeName(answer.alias);
  const records = [
    ...(answer.alias === null ? [] : [writeRecord(ASKED_NAME, TYPE_CNAME, writeName(answer.alias))]),
    ...answer.addresses.map((address) => writeRecord(owner, question.type, writeAddress(address))),
  ];
  const whole = Buffer.concat([
    writeHeader(question.id, records.length, RCODES[answer.rcode], false),
    question.bytes,
    ...records,
  ]);
  if (transport === 'tcp' || whole.length <= UDP_BYTES_MAX) return whole;
  return Buffer.concat([writeHeader(question.id, 0, RCODES[answer.rcode], true), question.bytes]);
}

function writeHeader(id: number, answerCount: number, rcode: number, isTruncated: boolean): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(id, 0);
  // A response; recursion desired and available.
  header.writeUInt16BE(0x8180 | (isTruncated ? 0x0200 : 0) | rcode, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answerCount, 6);
  return header;
}

function writeName(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** With a time to live of 0, so that it is not cached. */
function writeRecord(owner: Buffer, type: number, data: Buffer): Buffer {
  const middle = Buffer.alloc(10);
  middle.writeUInt16BE(type, 0);
  middle.writeUInt16BE(CLASS_IN, 2);
  middle.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, middle, data]);
}

/** The bytes of an address; an IPv6 address must be written in eight groups, or as ::1. */
function writeAddress(address: string): Buffer {
  if (address === '::1') return Buffer.concat([Buffer.alloc(15), Buffer.from([1])]);
  return address.includes(':')
    ? Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number));
}
