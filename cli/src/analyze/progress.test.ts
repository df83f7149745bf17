import { describe, expect, it } from 'vitest';
import { createProgress, drawBar } from './progress.ts';

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 60, written, write: (text: string) => written.push(text) };
}

describe('createProgress', () => {
  it('draws a bar per song and one for all', () => {
    const stream = terminal(true);
    const progress = createProgress(stream, { enabled: true, songCount: 2, nowMs: () => 0 });
    const one = progress.start('one.mp3');
    expect(stream.written.at(-1)).toBe(`${drawBar(0)} one.mp3\n${drawBar(0)} 0 of 2 songs`);
    one.end();
    expect(stream.written.at(-1)).toBe(`${drawBar(0.5)} 1 of 2 songs`);
    // Two lines were drawn before: one up, then everything below is erased.
    expect(stream.written.at(-2)).toBe('\u001b[1A\r\u001b[J');
  });

  it('draws at most every 80 ms, and no line wider than the terminal', () => {
    const stream = terminal(true);
    let nowMs = 0;
    const progress = createProgress(stream, { enabled: true, songCount: 1, nowMs: () => nowMs });
    const bar = progress.start('a name that is much too long for a terminal of sixty columns');
    const drawn = stream.written.length;
    nowMs = 79;
    bar.update(0.3);
    expect(stream.written.length).toBe(drawn);
    nowMs = 80;
    bar.update(0.4);
    expect(stream.written.at(-1)).toMatch(/^█{10}░{14} {2}40 %/);
    expect(stream.written.at(-1)).toHaveLength(59);
  });

  it('draws no more lines than the terminal has, including the total', () => {
    const stream = { ...terminal(true), rows: 3 };
    const progress = createProgress(stream, { enabled: true, songCount: 9, nowMs: () => 0 });
    const bars = ['a', 'b', 'c', 'd', 'e'].map((label) => progress.start(label));
    const lines = stream.written.at(-1)!.split('\n');
    expect(lines).toEqual([`${drawBar(0)} a`, `${drawBar(0)} b`, `${drawBar(0)} 0 of 9 songs`]);
    bars[0]!.end();
    expect(stream.written.at(-2)).toBe('\u001b[2A\r\u001b[J');
    expect(stream.written.at(-1)!.split('\n')[1]).toBe(`${drawBar(0)} c`);
  });

  it.each([
    ['聽見下雨的聲音聽見下雨的聲音聽見下雨的聲音.mp3', '聽見下雨的聲音聽見下雨的聲音'],
    ['👩‍👩‍👧‍👦🎵🎵🎵🎵🎵🎵🎵🎵🎵🎵🎵🎵🎵🎵🎵🎵.mp3', '👩‍👩‍👧‍👦🎵🎵🎵🎵🎵🎵🎵🎵🎵🎵'],
  ])('cuts %s, whose characters are two columns wide, at the width of the terminal', (label, shown) => {
    const stream = terminal(true);
    createProgress(stream, { enabled: true, songCount: 1 }).start(label);
    // The bar and its space take 31 of 59 columns.
    expect(stream.written.at(-1)).toBe(`${drawBar(0)} ${shown}`);
  });

  it('replaces control characters', () => {
    const stream = terminal(true);
    createProgress(stream, { enabled: true, songCount: 1 }).start('\u001b[2J\n.mp3');
    expect(stream.written.at(-1)).toBe(`${drawBar(0)} \ufffd[2J\ufffd.mp3`);
  });

  it.each([
    [false, true],
    [true, false],
  ])('writes nothing when the stream is no terminal, or is not to have it: %s, %s', (isTTY, enabled) => {
    const stream = terminal(isTTY);
    const progress = createProgress(stream, { enabled, songCount: 2 });
    progress.start('one.mp3').end();
    progress.clear();
    expect(stream.written).toEqual([]);
  });
});
