import type { Player, Track } from '../playback/player.ts';
import { songNames } from '../song-names.ts';
import { playableFile } from '../uploads/playable-files.ts';
import type { SongRow } from './use-songs.ts';

/** Null until the song is analysed, because its duration is not known before. */
export function toTrack(song: SongRow): Track | null {
  if (!song.headline) return null;
  return {
    id: song.id,
    ...songNames(song),
    durationSeconds: song.headline.duration_seconds,
    audio:
      playableFile(song.id) ?? (song.source_available ? `/v1/analyses/${song.id}/artifacts/source` : null),
    href: `/analyses/${song.id}`,
  };
}

/** Plays the song; pauses or resumes it when the player holds it already. */
export function playSong(player: Player, song: SongRow): void {
  if (player.read().track?.id === song.id) {
    player.toggle();
    return;
  }
  const track = toTrack(song);
  if (!track) return;
  player.load(track);
  player.play();
}
