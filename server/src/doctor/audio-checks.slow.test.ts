import { SANDBOX_WALLS } from '@earshot/decode';
import { loadModels } from '@earshot/engine/models';
import { describe, expect, it } from 'vitest';
import { checkModels, checkSandbox } from './audio-checks.ts';
import { runCheck } from './check.ts';

describe('the sandbox', () => {
  const unfiltered = SANDBOX_WALLS.filter((wall) => wall !== 'syscall_filter');

  it('is reported with a warning when a required wall is missing that DECODER_WALLS_OPTIONAL does not name', async () => {
    const { status, detail } = await runCheck(checkSandbox(['landlock'], async () => unfiltered));
    expect(status).toBe('warning');
    expect(detail).toContain(`decoders run behind ${unfiltered.join(', ')}\nwithout syscall_filter: `);
    expect(detail).toMatch(/a worker in production needs: syscall_filter$/);
  });

  it('is in order when every missing wall is optional', async () => {
    const { status, detail } = await runCheck(checkSandbox(['syscall_filter'], async () => unfiltered));
    expect(status).toBe('ok');
    expect(detail).toContain('without syscall_filter: ');
  });
});

describe('the models', () => {
  const shipped = loadModels();

  it('are all present and readable by the engine', async () => {
    const { status, detail } = await runCheck(checkModels(() => shipped));
    expect(status).toBe('ok');
    for (const name of ['beats', 'chords', 'voice', 'tags']) expect(detail).toContain(name);
  });

  it.each(['beats', 'chords', 'voice', 'tags'])(
    'are reported with a warning when one is missing: %s',
    async (name) => {
      const { status, detail } = await runCheck(checkModels(() => ({ ...shipped, [name]: null })));
      expect([status, detail.startsWith(`${name} missing`)]).toEqual(['warning', true]);
    },
  );

  it('fail the check when one is truncated', async () => {
    const voice = shipped.voice!.subarray(0, shipped.voice!.length / 2);
    expect((await runCheck(checkModels(() => ({ ...shipped, voice })))).status).toBe('failed');
  });
});
