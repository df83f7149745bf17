import type { RequestOutput } from '@earshot/sdk';

type Job = RequestOutput<'listAnalyses'>[number];

/** What a person knows a song by: the name of its file, or the end of its address. */
export function nameOf(job: Job): string {
  return (
    job.file_name ?? job.metadata.file_name ?? decodeURIComponent(job.source_url.split('/').at(-1) ?? job.id)
  );
}
