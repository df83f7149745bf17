import { Readable } from 'node:stream';
import { operations } from '@earshot/contract';
import { expect, it } from 'vitest';
import { checkAnswer } from './check-answer.ts';

const { getHealth } = operations.operational;

it('accepts what the contract declares, and any stream', () => {
  checkAnswer(getHealth, { status: 200, body: { status: 'ok' } });
  checkAnswer(getHealth, { status: 200, body: Readable.from([]) });
});

it('names a status that the contract does not declare, and a field outside of its schema', () => {
  expect(() => checkAnswer(getHealth, { status: 418, body: null })).toThrow(/getHealth answered 418/);
  expect(() => checkAnswer(getHealth, { status: 200, body: { status: 7 } })).toThrow(
    /outside of its schema: status/,
  );
});
