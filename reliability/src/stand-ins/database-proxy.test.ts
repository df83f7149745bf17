import { expect, it } from 'vitest';
import { createStatementCounter } from './database-proxy.ts';

function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

it('counts simple and extended statements, wherever the stream is split', () => {
  const bytes = Buffer.concat([
    message('', '....user.earshot'),
    message('Q', 'begin'),
    ...['P', 'B', 'D', 'E', 'S'].map((type) => message(type, 'xyz')),
    message('Q', 'commit'),
  ]);
  for (const size of [1, 3, 7, 1000]) {
    const count = createStatementCounter();
    let statements = 0;
    for (let start = 0; start < bytes.length; start += size)
      statements += count(bytes.subarray(start, start + size));
    expect(statements).toBe(3);
  }
});
