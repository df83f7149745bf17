import { beforeEach, expect, it, vi } from 'vitest';
import type { Player } from '../playback/player.ts';
import type { Result } from '../result.ts';
import type { Job } from './song-requests.ts';

const own = {
  id: 'job_1',
  result: {
    bpm: 120,
    rhythm: {
      beats: [
        { time_seconds: 0.5, beat_in_bar: 4 },
        { time_seconds: 1, beat_in_bar: 1 },
      ],
    },
  } as unknown as Result,
};
const other = {
  id: 'job_2',
  file_name: 'b.mp3',
  source_url: '',
  metadata: {},
  headline: null,
} as unknown as Job;
const OTHER_RESULT = { bpm: 125, rhythm: { beats: [{ time_seconds: 2, beat_in_bar: 1 }] } };

beforeEach(() => {
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
  return () => vi.unstubAllGlobals();
});

/** What is mixed, on a player that holds the song `loadedId` when the other song's result arrives. */
async function mixed(result: object, loadedId: string) {
  vi.stubGlobal('fetch', async () => Response.json({ status: 'completed', result, error: null }));
  const { playBoth } = await import('./play-both.ts');
  const songs: unknown[] = [];
  const player = {
    read: () => ({ track: { id: loadedId } }),
    mixWith: (song: unknown) => songs.push(song),
  };
  await playBoth(player as unknown as Player, own, other);
  return songs;
}

it('plays the other song at the tempo of this one, from downbeat to downbeat', async () => {
  expect(await mixed(OTHER_RESULT, 'job_1')).toEqual([
    {
      id: 'job_2',
      title: 'b',
      audio: '/v1/analyses/job_2/artifacts/source',
      alignment: { ratio: expect.closeTo(120 / 125, 9), firstAnchorSeconds: 1, secondAnchorSeconds: 2 },
    },
  ]);
});

it('plays the other song at its own tempo where that is unknown', async () => {
  expect(await mixed({ ...OTHER_RESULT, bpm: null }, 'job_1')).toMatchObject([{ alignment: { ratio: 1 } }]);
});

it('mixes nothing once the player holds another song than this one', async () => {
  expect(await mixed(OTHER_RESULT, 'job_3')).toEqual([]);
});
