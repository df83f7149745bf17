import { expect, it } from 'vitest';
import { readQuestion, writeAnswer } from './dns-packets.ts';

/** A question for the IPv4 addresses (type 1) of "b.Test": number 0x0102, recursion desired. */
const HEADER = '010201000001000000000000';
const QUESTION = '016204546573740000010001';
const question = readQuestion(Buffer.from(HEADER + QUESTION, 'hex'));

it('reads a question, with its name in lower case', () => {
  expect(question).toMatchObject({ id: 0x0102, name: 'b.test', type: 1 });
  expect(question.bytes.toString('hex')).toBe(QUESTION);
});

it('writes an alias as a record of the name that was asked for, and addresses as records of the alias', () => {
  const answer = { rcode: 'no error', alias: 'i.test', addresses: ['10.0.0.1'] } as const;
  // RFC 1035, sections 4.1.1 and 4.1.3: a CNAME (5) owned by a pointer to byte 12, then an A (1), each with a time to live of 0.
  expect(writeAnswer(question, answer, 'udp').toString('hex')).toBe(
    `0102${'8180'}0001${'0002'}00000000${QUESTION}` +
      `c00c${'0005'}0001${'00000000'}0008${'0169047465737400'}` +
      `0169047465737400${'0001'}0001${'00000000'}0004${'0a000001'}`,
  );
});

it('is truncated over UDP above 512 bytes, and whole over TCP', () => {
  // With a name of 16 bytes: 12 of header, 20 of question, and 16 for each address are 512 for 30 addresses, and 528 for 31.
  const name = '09616263646566676869047465737400';
  const asked = readQuestion(Buffer.from(`${HEADER}${name}00010001`, 'hex'));
  const answerOf = (addressCount: number, transport: 'udp' | 'tcp') => {
    const addresses = Array(addressCount).fill('10.0.0.1');
    return writeAnswer(asked, { rcode: 'no error', alias: null, addresses }, transport);
  };
  expect(answerOf(30, 'udp')).toHaveLength(512);
  expect(answerOf(31, 'udp').toString('hex')).toBe(`0102${'8380'}0001${'0000'}00000000${name}00010001`);
  expect(answerOf(31, 'tcp')).toHaveLength(528);
});
