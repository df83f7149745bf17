import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  HEADER_BYTES,
  type Question,
  type Rcode,
  readQuestion,
  TYPE_AAAA,
  writeAnswer,
} from './dns-packets.ts';
import { listenOnLoopback } from './listen.ts';

/** The answer to one question for a name: addresses of both families, or an alias with addresses, or a failure. */
export type NameAnswer =
  | { addresses: readonly string[]; alias?: string }
  | { fault: 'no such name' | 'server failure' | 'silence' | 'garbage' };

export type DnsStandIn = {
  /** For DNS_SERVERS. */
  server: string;
  /**
   * The n-th question for each address family gets the n-th answer; all later ones get the last. A resolver repeats its question after
   * silence or garbage.
   */
  script(name: string, answers: readonly NameAnswer[]): void;
  close(): Promise<void>;
};

/** A name server that answers from scripts, over UDP and TCP. Names without a script do not exist. */
export async function startDnsStandIn(): Promise<DnsStandIn> {
  const scripts = new Map<string, readonly NameAnswer[]>();
  const questionCounts = new Map<string, number>();

  function answer(packet: Buffer, transport: 'udp' | 'tcp'): Buffer | null {
    const question = readQuestion(packet);
    const answers = scripts.get(question.name) ?? [];
    const key = `${question.name} ${question.type}`;
    const earlierCount = questionCounts.get(key) ?? 0;
    // A question over TCP repeats one whose answer was too long for UDP, and gets the same answer.
    if (transport === 'udp') questionCounts.set(key, earlierCount + 1);
    const index = transport === 'udp' ? earlierCount : earlierCount - 1;
    const scripted = answers[Math.min(index, answers.length - 1)] ?? { fault: 'no such name' };
    return bytesOf(question, scripted, transport);
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
  // Both need the same port. Few UDP ports are in use, so the port that TCP got is nearly always free.
  const { port, close } = await listenOnLoopback(tcp);
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    server: `127.0.0.1:${port}`,
    script: (name, answers) => void scripts.set(name, answers),
    async close() {
      udp.close();
      await close();
    },
  };
}

function bytesOf(question: Question, answer: NameAnswer, transport: 'udp' | 'tcp'): Buffer | null {
  if ('addresses' in answer) {
    const addresses = answer.addresses.filter(
      (address) => address.includes(':') === (question.type === TYPE_AAAA),
    );
    return writeAnswer(question, { rcode: 'no error', alias: answer.alias ?? null, addresses }, transport);
  }
  const { fault } = answer;
  if (fault === 'silence') return null;
  // A valid header, followed by bytes that cannot be parsed.
  if (fault === 'garbage')
    return Buffer.concat([
      writeAnswer(question, { rcode: 'no error', alias: null, addresses: [] }, transport).subarray(
        0,
        HEADER_BYTES,
      ),
      Buffer.alloc(40, 0xff),
    ]);
  const rcode: Rcode = fault;
  return writeAnswer(question, { rcode, alias: null, addresses: [] }, transport);
}
