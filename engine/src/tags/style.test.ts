import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PATCH_SECONDS } from './patch-keeper.ts';
import { hearStyle } from './style.ts';
import { createTagListener, type TagListener } from './tag-listener.ts';

const RATE_HZ = 22_050;
const LENGTH = Math.round(PATCH_SECONDS * RATE_HZ);
const SILENCE = { startSeconds: 0, samples: new Float32Array(LENGTH) };

function makeTone(hz: number, startSeconds: number) {
  const samples = Float32Array.from(
    { length: LENGTH },
    (_, n) => 0.3 * Math.sin((2 * Math.PI * hz * n) / RATE_HZ),
  );
  return { startSeconds, samples };
}

function listen(): TagListener {
  const read = (name: string) =>
    new Uint8Array(readFileSync(new URL(`../../models/tags-${name}-v1.bin`, import.meta.url)));
  return createTagListener({ msd: read('msd'), jamendo: read('jamendo') }, RATE_HZ);
}

describe('hearStyle', () => {
  it('hears no style in silence', () => {
    expect(hearStyle(listen(), [])).toBeNull();
    expect(hearStyle(listen(), [SILENCE, SILENCE])).toBeNull();
  });

  it('does not let silence speak for the music beside it', () => {
    const music = [makeTone(220, 0), makeTone(330, 3)];
    expect(hearStyle(listen(), [SILENCE, ...music, SILENCE])).toEqual(hearStyle(listen(), music));
  });

  it('hears every patch once, and names only the tagger it asked', () => {
    const listener = listen();
    const music = [makeTone(220, 0)];
    const [first] = listener.hear('msd', music);
    hearStyle(listener, music);
    expect(listener.hear('msd', music)[0]).toBe(first);
    expect(listener.models().map(({ name }) => name)).toEqual(['tags-msd']);
  });
});
