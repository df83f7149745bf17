import { beforeEach, expect, it, vi } from 'vitest';
import type { Player } from '../playback/player.ts';
import type { SongRow } from './use-songs.ts';

beforeEach(() => {
  vi.stubGlobal('window', { location: { origin: 'http://service.test' } });
  return () => vi.unstubAllGlobals();
});

const row = (values: object) =>
  ({
    id: 'job_1',
    file_name: 'a.mp3',
    source_url: '',
    metadata: {},
    headline: { duration_seconds: 20 },
    source_available: true,
    ...values,
  }) as unknown as SongRow;

/** What a player is asked to do while the song `playingId` is in it. */
async function play(song: SongRow, playingId: string | null = null) {
  const { playSong } = await import('./play-song.ts');
  const asked: unknown[] = [];
  const player = {
    read: () => ({ track: playingId === null ? null : { id: playingId } }),
    load: (track: unknown) => asked.push(track),
    play: () => asked.push('play'),
    toggle: () => asked.push('toggle'),
  };
  playSong(player as unknown as Player, song);
  return asked;
}

it('a song is loaded with all that the player shows of it, and played', async () => {
  const audio = '/v1/analyses/job_1/artifacts/source';
  const track = {
    id: 'job_1',
    title: 'a',
    artist: null,
    durationSeconds: 20,
    audio,
    href: '/analyses/job_1',
  };
  expect(await play(row({}), 'job_2')).toEqual([track, 'play']);
  expect(await play(row({ source_available: false }))).toEqual([{ ...track, audio: null }, 'play']);
});

it('the one that plays is paused', async () => {
  expect(await play(row({}), 'job_1')).toEqual(['toggle']);
});

it('one that is not analysed has no length yet, and is left alone: the button is off, and the key is, too', async () => {
  expect(await play(row({ headline: null }))).toEqual([]);
});
