import { afterAll, expect, it } from 'vitest';
import { createRandom, type Random } from '../random.ts';
import { startAudioOrigin } from './audio-origin.ts';

const drawn: string[] = [];
const scripted = await startAudioOrigin({ weighted: () => drawn.shift() } as unknown as Random);
const random = await startAudioOrigin(createRandom('audio'));
afterAll(() => Promise.all([scripted.close(), random.close()]));

const statusOf = async (path: string) => (await fetch(`${scripted.url}${path}`)).status;

it('keeps the behaviour of a URL, but serves a busy one the second time', async () => {
  drawn.push('missing', 'busy-once');
  expect([await statusOf('/a'), await statusOf('/a')]).toEqual([404, 404]);
  expect([await statusOf('/b'), await statusOf('/b')]).toEqual([503, 200]);
});

it('behaves as the query of the URL requests', async () => {
  const page = await fetch(`${scripted.url}/c?as=not-audio`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html']);
  const short = await fetch(`${scripted.url}/d?as=cut-short`);
  await expect(short.arrayBuffer()).rejects.toThrow();
  const sizesBytes = ['serve', 'medium', 'long'].map(async (behaviour) => {
    const audio = await fetch(`${scripted.url}/e?as=${behaviour}`);
    return (await audio.arrayBuffer()).byteLength;
  });
  // A header of 44 bytes, and half a second, 40 s and 150 s at 8,000 samples of two bytes a second.
  expect(await Promise.all(sizesBytes)).toEqual([8_044, 640_044, 2_400_044]);
});

it('serves different audio at every new URL when calm', async () => {
  random.calm();
  const bodies = new Set<string>();
  for (let file = 0; file < 30; file += 1) {
    const response = await fetch(`${random.url}/${file}.wav`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    bodies.add(Buffer.from(await response.arrayBuffer()).toString('latin1'));
  }
  expect(bodies.size).toBe(30);
});
