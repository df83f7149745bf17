import { loadModels } from '@earshot/engine/models';
import { describe, expect, it } from 'vitest';
import { checkModels } from './audio-checks.ts';
import { runCheck } from './check.ts';

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
