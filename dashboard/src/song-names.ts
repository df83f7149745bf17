import type { JobData } from '@earshot/sdk';

type NamedSong = {
  id: string;
  file_name: string | null;
  source_url: string;
  metadata: Record<string, string>;
  headline: Pick<NonNullable<JobData['headline']>, 'title' | 'artist'> | null;
};

/** The title is never empty: the tag or what a user typed over it, else the name of the file or the last part of its URL, else the id. */
export function songNames(job: NamedSong): { title: string; artist: string | null } {
  return { title: job.headline?.title || fileTitle(job), artist: job.headline?.artist || null };
}

function fileTitle(job: NamedSong): string {
  const file = job.file_name ?? job.metadata.file_name ?? lastPart(job.source_url);
  // Without the extension, which means nothing to a musician.
  return file?.replace(/\.[A-Za-z0-9]{2,4}$/, '') || job.id;
}

function lastPart(url: string): string | null {
  const last = url.split(/[?#]/)[0]?.split('/').at(-1);
  try {
    return last ? decodeURIComponent(last) : null;
  } catch {
    return last ?? null;
  }
}
