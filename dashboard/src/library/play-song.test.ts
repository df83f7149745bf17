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

/** The calls that reach a player which holds the song `loadedId`. */
async function play(song: SongRow, loadedId: string | null = null) {
  const { playSong } = await import('./play-song.ts');
  const calls: unknown[] = [];
  const player = {
    read: () => ({ track: loadedId === null ? null : { id: loadedId } }),
    load: (track: unknown) => calls.push(track),
    play: () => calls.push('play'),
    toggle: () => calls.push('toggle'),
  };
  playSong(player as unknown as Player, song);
  return calls;
}

it('loads and plays another song, with its audio if the service has it', async () => {
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

it('pauses or resumes the song that is already loaded', async () => {
  expect(await play(row({}), 'job_1')).toEqual(['toggle']);
});

it('does nothing for a song that is not analysed yet', async () => {
  expect(await play(row({ headline: null }))).toEqual([]);
});

it('plays a file of this visit without requesting it from the service', async () => {
  const { forgetFile, keepFile } = await import('../uploads/playable-files.ts');
  const file = new File(['RIFF'], 'a.wav');
  keepFile('job_1', file);
  expect(await play(row({}))).toEqual([expect.objectContaining({ audio: file }), 'play']);
  forgetFile('job_1');
  const audio = '/v1/analyses/job_1/artifacts/source';
  expect(await play(row({}))).toEqual([expect.objectContaining({ audio }), 'play']);
});
