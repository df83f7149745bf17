import type { Player } from '../playback/player.ts';
import { songNames } from '../song-names.ts';
import { playableFile } from '../uploads/upload-queue.ts';
import type { SongRow } from './use-songs.ts';

/** Plays the song, or pauses it when it is the one that plays. */
export function playSong(player: Player, song: SongRow): void {
  if (player.read().track?.id === song.id) {
    player.toggle();
    return;
  }
  const { title, artist } = songNames(song);
  player.load({
    id: song.id,
    title,
    artist,
    durationSeconds: song.headline?.duration_seconds ?? 0,
    audio:
      playableFile(song.id) ?? (song.source_available ? `/v1/analyses/${song.id}/artifacts/source` : null),
    href: `/analyses/${song.id}`,
  });
  player.play();
}
