import { earshot } from './api.ts';
import type { Result } from './result.ts';
import { silence } from './silence.ts';
import { playableFile } from './uploads.ts';

export type Group = 'file' | 'rhythm' | 'tonal' | 'structure' | 'loudness' | 'quality' | 'waveform';
export type Media = { url: string; silent: boolean };

/** Where a page gets a song from, piece by piece: the service, or a result that is already here. */
export type SongSource = {
  /** Changes when it is another song. */
  key: string;
  loadGroups(...groups: Group[]): Promise<Result>;
  loadMedia(durationSeconds: number): Promise<Media>;
  /** Null where there are no pictures. */
  pictureUrl: ((name: 'spectrogram' | 'chromagram') => string) | null;
};

export function serviceSource(jobId: string): SongSource {
  const params = { job_id: jobId };
  return {
    key: jobId,
    async loadGroups(...groups) {
      const query = { groups: groups.join(',') };
      const { result, error } = await earshot.request('getAnalysisResult', { params, query });
      if (!result) throw new Error(error?.message ?? 'This analysis has no result.');
      return result;
    },
    async loadMedia(durationSeconds) {
      const file = playableFile(jobId);
      if (file) return { url: URL.createObjectURL(file), silent: false };
      const events = await earshot.request('listAnalysisEvents', { params });
      const kept = !events?.some(({ event_type }) => event_type === 'source.deleted');
      const audio = kept && (await fetchAudio(`/v1/analyses/${jobId}/artifacts/source`));
      // Without audio a silent recording moves the playhead: the click track and the chords can still be followed.
      return audio || { url: URL.createObjectURL(silence(durationSeconds)), silent: true };
    },
    pictureUrl: (name) => `/v1/analyses/${jobId}/artifacts/${name}.png`,
  };
}

/** A song whose whole result is here: the sample, or a demo. */
export function readySource(key: string, result: Result, audio: Blob | string): SongSource {
  return {
    key,
    loadGroups: async () => result,
    async loadMedia(durationSeconds) {
      if (typeof audio !== 'string') return { url: URL.createObjectURL(audio), silent: false };
      const fetched = await fetchAudio(audio);
      return fetched ?? { url: URL.createObjectURL(silence(durationSeconds)), silent: true };
    },
    pictureUrl: null,
  };
}

async function fetchAudio(url: string): Promise<Media | null> {
  const response = await fetch(url);
  if (!response.ok) return null;
  return { url: URL.createObjectURL(await response.blob()), silent: false };
}
