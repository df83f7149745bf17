import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { earshot } from '../api.ts';
import { formatDay } from '../format.ts';
import { CrateMenu } from '../library/crate-menu.tsx';
import { toTrack } from '../library/play-song.ts';
import { saveExport } from '../library/save-export.ts';
import type { Track } from '../playback/player.ts';
import { usePlayer } from '../playback/use-player.tsx';
import { useHasRole } from '../session.tsx';
import { songNames } from '../song-names.ts';
import type { PictureName } from '../timeline/picture-lanes.ts';
import { useConfirmed } from '../ui/confirm.tsx';
import { ExportMenu } from '../ui/export-menu.tsx';
import { Failed } from '../ui/failed.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Loading } from '../ui/loading.tsx';
import { Menu, MenuItem, MenuLine, MenuLink } from '../ui/menu.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { useToast } from '../ui/toasts.tsx';
import { followJob, stageName } from '../uploads/follow-job.ts';
import { isPermanent, RECONNECT_DELAY_MS } from '../uploads/job-follower.ts';
import { forgetFile } from '../uploads/playable-files.ts';
import { useLoad } from '../use-load.ts';
import { useTitle } from '../use-title.ts';
import { DetailsDialog } from './details-dialog.tsx';
import { DJ_FORMATS, EXPORT_FORMATS } from './export-formats.ts';
import { type Job, loadJob } from './song-requests.ts';
import { SongView } from './song-view.tsx';
import { type Song, useSong } from './use-song.ts';

/** One song: its result, its progress while it is analysed, or why there is no result. */
export function SongPage({ params }: { params: { jobId: string } }) {
  const { jobId } = params;
  const [loaded, reload] = useLoad(() => loadJob(jobId), jobId);
  return (
    <LoadedView loaded={loaded} reload={reload}>
      {(job) =>
        job.status === 'completed' ? (
          // Keyed by the job that is loaded, not the one requested: the previous song stays mounted until the next has loaded.
          <Ready key={job.id} job={job} onChanged={reload} />
        ) : job.status === 'queued' || job.status === 'processing' ? (
          <Waiting key={job.id} job={job} onEnd={reload} />
        ) : (
          <Ended job={job} />
        )
      }
    </LoadedView>
  );
}

function Ready({ job, onChanged }: { job: Job; onChanged: () => void }) {
  const [state, reload] = useSong(job.id);
  const { title, artist } = songNames(job);
  useTitle(title);
  const track = useMemo(() => toTrack(job), [job]);
  useCurrentTrack(track);
  return (
    <>
      <PageHead
        title={title}
        line={[artist, job.headline?.tags.join(', '), describeAudio(job)].filter(Boolean).join(' · ')}
      >
        <SongActions job={job} onChanged={onChanged} />
      </PageHead>
      {state.state === 'loading' && <Loading reload={reload} />}
      {state.state === 'failed' && <Failed error={state.error} reload={reload} />}
      {state.state === 'ready' && track && <ReadySong job={job} track={track} song={state.song} />}
    </>
  );
}

function ReadySong({ job, track, song }: { job: Job; track: Track; song: Song }) {
  const pictureUrl = useMemo(
    () => (name: PictureName) => `/v1/analyses/${job.id}/artifacts/${name}.png`,
    [job.id],
  );
  return <SongView track={track} result={song.result} song={song} jobId={job.id} pictureUrl={pictureUrl} />;
}

/** Loads the song into the player when its page opens, in place of any other. */
function useCurrentTrack(track: Track | null): void {
  const player = usePlayer();
  const isOpened = useRef(false);
  useEffect(() => {
    if (!track) return;
    // `track` also changes when the song is renamed: that must not stop another song started from this page.
    if (isOpened.current && player.read().track?.id !== track.id) return;
    isOpened.current = true;
    player.load(track);
  }, [player, track]);
}

/** Whether the audio is kept, and until when. */
function describeAudio({ source_available, source_expires_at }: Job): string {
  if (!source_available) return 'audio not kept';
  return source_expires_at ? `audio kept until ${formatDay(source_expires_at)}` : 'audio kept';
}

function SongActions({ job, onChanged }: { job: Job; onChanged: () => void }) {
  const confirmed = useConfirmed();
  const showToast = useToast();
  const [, go] = useLocation();
  const [editing, setEditing] = useState(false);
  const mayChange = useHasRole('member');
  const remove = () =>
    confirmed(
      {
        title: 'Delete this song?',
        text: 'Its audio, analysis, corrections and shared links are deleted. This cannot be undone.',
        action: 'Delete',
      },
      async () => {
        await earshot.request('deleteAnalysis', { params: { job_id: job.id } });
        go('/');
      },
    );
  const removeAudio = () =>
    confirmed(
      {
        title: 'Delete the audio?',
        text: 'The result stays. The song can no longer be played or analysed again here.',
        action: 'Delete the audio',
      },
      async () => {
        await earshot.request('deleteArtifact', { params: { job_id: job.id, name: 'source' } });
        forgetFile(job.id);
        showToast('Audio deleted.');
        onChanged();
      },
    );
  return (
    <>
      <ExportMenu formats={EXPORT_FORMATS} hrefOf={(format) => `/v1/analyses/${job.id}/exports/${format}`}>
        <MenuLink href={`/v1/analyses/${job.id}/artifacts/report.html`}>Report (HTML)</MenuLink>
        <MenuLink href={`/v1/analyses/${job.id}/artifacts/report.pdf`} download>
          Report (PDF)
        </MenuLink>
        <MenuLine />
        {DJ_FORMATS.map(([format, name]) => (
          <MenuItem
            key={format}
            onSelect={() =>
              void saveExport([job.id], format)
                .catch((error: Error) => error.message)
                .then(showToast)
            }
          >
            {name}
          </MenuItem>
        ))}
      </ExportMenu>
      {mayChange && <CrateMenu ids={[job.id]} />}
      <Link className="button" href={`/compare/${job.id}`}>
        Compare
      </Link>
      {(mayChange || job.source_available) && (
        <Menu
          trigger={
            <button type="button" aria-label="More actions">
              …
            </button>
          }
        >
          {mayChange && <MenuItem onSelect={() => setEditing(true)}>Edit details</MenuItem>}
          {job.source_available && (
            <MenuLink href={`/v1/analyses/${job.id}/artifacts/source`} download>
              Download the audio
            </MenuLink>
          )}
          {mayChange && job.source_available && (
            <MenuItem danger onSelect={() => void removeAudio()}>
              Delete the audio
            </MenuItem>
          )}
          {mayChange && (
            <MenuItem danger onSelect={() => void remove()}>
              Delete the song
            </MenuItem>
          )}
        </Menu>
      )}
      {editing && <DetailsDialog job={job} onClose={() => setEditing(false)} onSaved={onChanged} />}
    </>
  );
}

function Waiting({ job, onEnd }: { job: Job; onEnd: () => void }) {
  const [progress, setProgress] = useState({
    stage: stageName(job.stage ?? 'Queued'),
    fraction: job.progress,
  });
  useEffect(() => {
    const stop = new AbortController();
    const end = () => !stop.signal.aborted && onEnd();
    // Loading the job again shows why its stream was refused, or follows it again.
    followJob(job.id, (stage, fraction) => setProgress({ stage, fraction }), stop.signal).then(
      end,
      (error: Error) => setTimeout(end, isPermanent(error) ? 0 : RECONNECT_DELAY_MS),
    );
    return () => stop.abort();
  }, [job, onEnd]);
  useTitle(songNames(job).title);
  return (
    <div className="page-state" role="status">
      <h1>{songNames(job).title}</h1>
      <p>{progress.stage}</p>
      <progress max={1} value={progress.fraction} aria-label={progress.stage} />
    </div>
  );
}

function Ended({ job }: { job: Job }) {
  useTitle(songNames(job).title);
  return (
    <div className="page-state" role="alert">
      <h1>{songNames(job).title}</h1>
      <p>
        {job.status === 'canceled'
          ? 'This analysis was canceled.'
          : `This song could not be analysed. ${typeof job.error === 'object' ? (job.error?.message ?? '') : ''}`}
      </p>
      <p className="soft">It cost no credit.</p>
      <Link className="button" href="/">
        Back to the library
      </Link>
    </div>
  );
}
