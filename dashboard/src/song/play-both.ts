import { firstDownbeatSeconds, tempoRatio } from '../music/mixing.ts';
import type { Player } from '../playback/player.ts';
import type { Result } from '../result.ts';
import { songNames } from '../song-names.ts';
import { loadGroups } from './load-groups.ts';
import type { Job } from './song-requests.ts';

/** The song of this page. */
export type Own = { id: string; result: Result };

/** Plays the other song along with this one, at this one's tempo and with their downbeats aligned, if it is still this one that plays. */
export async function playBoth(player: Player, { id, result }: Own, job: Job): Promise<void> {
  const other = await loadGroups(job.id, 'rhythm');
  if (player.read().track?.id !== id) return;
  const ratio = result.bpm && other.bpm ? tempoRatio(result.bpm, other.bpm) : 1;
  player.mixWith({
    id: job.id,
    title: songNames(job).title,
    audio: `/v1/analyses/${job.id}/artifacts/source`,
    alignment: {
      ratio,
      firstAnchorSeconds: firstDownbeatSeconds(result.rhythm?.beats ?? []),
      secondAnchorSeconds: firstDownbeatSeconds(other.rhythm?.beats ?? []),
    },
  });
}
