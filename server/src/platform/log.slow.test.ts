import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '../test/until.ts';
import { createLogger, maskSecrets, openLog } from './log.ts';

it.each(['a.', 'a@b-', 'a@b.', '"token":"', '"cookie":['])(
  'masks a line made of %s in linear time',
  (piece) => {
    const leastMs = (characterCount: number, times: number) => {
      const text = piece.repeat(characterCount / piece.length);
      const roundsMs = Array.from({ length: 5 }, () => {
        // Processor time, because wall time depends on other programs.
        const before = process.cpuUsage();
        for (let time = 0; time < times; time += 1) maskSecrets(text);
        return process.cpuUsage(before).user / 1_000;
      });
      return Math.min(...roundsMs);
    };
    // The same text as a whole and in sixteen parts: linear patterns take about as long, quadratic ones sixteen times as long. Six is
    // between the two with room for noise, and a millisecond is the least that is measured reliably.
    expect(leastMs(65_536, 1)).toBeLessThan(6 * Math.max(leastMs(4_096, 16), 1));
  },
);

it('does not block when the pipe is not read, and keeps the lines until it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const log = createLogger({ level: 'info', destination: openLog(fd) });
  // A megabyte, sixteen times what a pipe holds on Linux: a blocking logger would never get past this loop.
  for (let n = 0; n < 1_000; n++) log.info({ n, filler: 'x'.repeat(1_000) }, 'line');
  let text = '';
  const block = Buffer.alloc(65_536);
  await until(() => {
    try {
      text += block.toString('utf8', 0, readSync(fd, block));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
    return text.split('\n').length === 1_001;
  }, 'all lines are read');
  closeSync(fd);
  expect(JSON.parse(text.split('\n')[999]!).n).toBe(999);
});
