import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Question, type Rcode, readQuestion, TYPE_A, TYPE_AAAA, writeAnswer } from './dns-packets.ts';
import { listenOnLoopback } from './listen.ts';

/** What is told about a name at one lookup: both families of addresses, perhaps by way of another name. */
export type NameAnswer =
  | { addresses: readonly string[]; alias?: string }
  | { trouble: 'no such name' | 'server failure' | 'silence' | 'garbage' };

export type DnsStandIn = {
  /** For DNS_SERVERS. */
  server: string;
  /** The n-th lookup gets the n-th answer, and the last one is for all that follow. */
  script(name: string, answers: readonly NameAnswer[]): void;
  /** How often the name was asked for, in the family that was asked more often. */
  lookupCount(name: string): number;
  close(): Promise<void>;
};

/** A resolver that says what it is told to, over UDP and TCP. Names without a script do not exist. */
export async function startDnsStandIn(): Promise<DnsStandIn> {
  const scripts = new Map<string, readonly NameAnswer[]>();
  const asked = new Map<string, number>();

  function answer(packet: Buffer, transport: 'udp' | 'tcp'): Buffer | null {
    const question = readQuestion(packet);
    const answers = scripts.get(question.name) ?? [];
    const lookupCount = asked.get(keyOf(question)) ?? 0;
    // What was cut over UDP is asked again over TCP, and is the same lookup.
    if (transport === 'udp') asked.set(keyOf(question), lookupCount + 1);
    const nth = transport === 'udp' ? lookupCount : lookupCount - 1;
    const told = answers[Math.min(nth, answers.length - 1)] ?? { trouble: 'no such name' };
    return bytesOf(question, told, transport);
  }

  const tcp = createServer((socket) => {
    let pending = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const questionBytes = pending.readUInt16BE(0);
        const bytes = answer(pending.subarray(2, 2 + questionBytes), 'tcp');
        pending = pending.subarray(2 + questionBytes);
        if (bytes === null) continue;
        const prefix = Buffer.alloc(2);
        prefix.writeUInt16BE(bytes.length);
        socket.write(Buffer.concat([prefix, bytes]));
      }
    });
  });
  const udp = createSocket('udp4');
  udp.on('message', (packet, from) => {
    const bytes = answer(packet, 'udp');
    if (bytes !== null) udp.send(bytes, from.port, from.address);
  });
  // UDP ports are hardly used here, TCP ports by everybody: whoever gets the first has better chances with the second.
  const { port, close } = await listenOnLoopback(tcp);
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    server: `127.0.0.1:${port}`,
    script: (name, answers) => void scripts.set(name, answers),
    lookupCount: (name) => Math.max(...[TYPE_A, TYPE_AAAA].map((type) => asked.get(`${name} ${type}`) ?? 0)),
    async close() {
      udp.close();
      await close();
    },
  };
}

function keyOf({ name, type }: Question): string {
  return `${name} ${type}`;
}

function bytesOf(question: Question, told: NameAnswer, transport: 'udp' | 'tcp'): Buffer | null {
  if ('addresses' in told) {
    const addresses = told.addresses.filter(
      (address) => address.includes(':') === (question.type === TYPE_AAAA),
    );
    return writeAnswer(question, { rcode: 'fine', alias: told.alias ?? null, addresses }, transport);
  }
  const { trouble } = told;
  if (trouble === 'silence') return null;
  // The header of an answer, and then nothing that could be one.
  if (trouble === 'garbage')
    return Buffer.concat([
      writeAnswer(question, { rcode: 'fine', alias: null, addresses: [] }, transport).subarray(0, 12),
      Buffer.alloc(40, 0xff),
    ]);
  const rcode: Rcode = trouble;
  return writeAnswer(question, { rcode, alias: null, addresses: [] }, transport);
}
