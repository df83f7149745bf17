import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { isRunning } from '../test/is-running.ts';
import { until } from '../test/until.ts';

it('a child in a long computation ends with its parent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-orphan-'));
  const bundle = join(folder, 'child.mjs');
  const contents = `
    import { exitIfOrphaned } from './side-process-child.ts';
    process.send(process.pid, () => { for (;;) exitIfOrphaned(); });`;
  await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: bundle,
  });
  const source = `
    import { fork } from 'node:child_process';
    fork(process.argv[1], { execArgv: [] }).on('message', (pid) => console.log(pid));`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', source, bundle]);
  const pid = Number(String((await once(parent.stdout, 'data'))[0]));
  try {
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !isRunning(pid), 'the child has ended');
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true });
  }
});
