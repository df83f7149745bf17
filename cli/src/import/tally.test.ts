import { describe, expect, it } from 'vitest';
import { createTally } from './tally.ts';

function startTally(stream: { isTTY?: boolean; columns?: number } = {}, bars = true) {
  const clock = { nowMs: 0 };
  const written: string[] = [];
  const tally = createTally(
    { ...stream, write: (text: string) => written.push(text) },
    { bars, nowMs: () => clock.nowMs },
  );
  return { tally, written, clock };
}

describe('the tally of an import', () => {
  it('is a new line every half minute when the stream is not a terminal', () => {
    const { tally, written, clock } = startTally();
    tally.count('uploaded');
    clock.nowMs = 29_999;
    tally.count('present');
    expect(written).toEqual([]);
    clock.nowMs = 30_000;
    tally.count('uploaded');
    const first = '3 songs: 2 handed over, 1 there already, 0 refused; 0.1/s\n';
    expect(written).toEqual([first]);
    clock.nowMs = 59_999;
    tally.count('uploaded');
    expect(written).toEqual([first]);
    clock.nowMs = 60_000;
    tally.fail('5.wav', 'empty');
    expect(written).toEqual([first, '5 songs: 3 handed over, 1 there already, 1 refused; 0.1/s\n']);
  });

  it('is redrawn on a terminal, at most five times a second, within its width', () => {
    const { tally, written, clock } = startTally({ isTTY: true, columns: 20 });
    clock.nowMs = 199;
    tally.count('uploaded');
    expect(written).toEqual([]);
    clock.nowMs = 200;
    tally.count('uploaded');
    const first = '\r\u001b[K2 songs: 2 handed o';
    expect(written).toEqual([first]);
    clock.nowMs = 399;
    tally.count('uploaded');
    expect(written).toEqual([first]);
    clock.nowMs = 400;
    tally.count('uploaded');
    tally.end();
    expect(written).toEqual([first, '\r\u001b[K4 songs: 4 handed o', '\r\u001b[K']);
  });

  it.each([true, false])('is only the failures without progress (on a terminal: %s)', (isTTY) => {
    const { tally, written, clock } = startTally({ isTTY }, false);
    clock.nowMs = 30_000;
    tally.fail('1.wav', 'empty');
    expect(written).toEqual([]);
    tally.end();
    expect(written).toEqual(['1.wav: empty\n']);
  });

  it('names twenty failures, and says nothing of others', () => {
    const { tally, written } = startTally();
    for (let number = 1; number <= 20; number++) tally.fail(`${number}.wav`, 'empty');
    tally.end();
    expect(written).toHaveLength(20);
    expect(written[19]).toBe('20.wav: empty\n');
  });

  it('names twenty failures and counts the others, with control characters replaced', () => {
    const { tally, written } = startTally();
    tally.fail('\u001b]0;mine\u0007.wav', 'The store says \u001b[2J');
    for (let number = 2; number <= 22; number++) tally.fail(`${number}.wav`, 'empty');
    tally.end();
    expect(written).toHaveLength(21);
    expect(written[0]).toBe('\ufffd]0;mine\ufffd.wav: The store says \ufffd[2J\n');
    expect(written[19]).toBe('20.wav: empty\n');
    expect(written[20]).toBe('and 2 more\n');
    expect(tally.summary()).toMatch(/^22 songs: 0 handed over, 0 there already, 22 refused/);
  });
});
