import type { RequestOutput } from '@earshot/sdk';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { earshot } from '../api.ts';
import { SEARCH_CHARACTERS_MAX } from '../service-limits.ts';
import { songNames } from '../song-names.ts';

type Job = RequestOutput<'listAnalyses'>[number];

/** As in the search of the library. */
const DEBOUNCE_MS = 200;
const OFFERED_MAX = 12;

/** One song of the whole library, found by typing: the server searches, the newest are offered first. */
export function SongChoice(props: { label: string; value: string | null; onChange: (id: string) => void }) {
  const { label, value, onChange } = props;
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [activeIndex, setActive] = useState(0);
  const songs = useOffered(typed, open);
  const chosen = useChosen(value);
  const id = useId();

  const choose = (job: Job | undefined) => {
    if (!job) return;
    setOpen(false);
    setTyped('');
    onChange(job.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setActive((now) => Math.max(0, Math.min(songs.length - 1, now + by)));
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      choose(songs[activeIndex]);
    } else if (event.key === 'Escape') setOpen(false);
  };
  return (
    <div className="grow song-choice">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        role="combobox"
        autoComplete="off"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={open && songs[activeIndex] ? `${id}-${activeIndex}` : undefined}
        placeholder={chosen ?? 'Search your library'}
        value={open ? typed : (chosen ?? '')}
        maxLength={SEARCH_CHARACTERS_MAX}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
          setOpen(true);
        }}
      />
      {/* Always there, so that what it says of itself holds; hidden while it is closed. */}
      <div id={`${id}-list`} role="listbox" aria-label={label} hidden={!open} className="song-options">
        {songs.map((job, index) => (
          <div
            key={job.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === activeIndex}
            // Before the field loses the focus, which would close the list under the pointer.
            onPointerDown={(event) => {
              event.preventDefault();
              choose(job);
            }}
          >
            {songNames(job).title}
            <span className="soft small">{songNames(job).artist}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

function useOffered(typed: string, open: boolean): readonly Job[] {
  const [songs, setSongs] = useState<readonly Job[]>([]);
  useEffect(() => {
    if (!open) return;
    const stop = new AbortController();
    const timer = setTimeout(
      () => {
        const query = {
          status: 'completed',
          limit: OFFERED_MAX,
          ...(typed.trim() && { q: typed.trim() }),
        } as const;
        earshot
          .request('listAnalyses', { query, signal: stop.signal })
          .then(setSongs, () => !stop.signal.aborted && setSongs([]));
      },
      typed === '' ? 0 : DEBOUNCE_MS,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [typed, open]);
  return songs;
}

function useChosen(id: string | null): string | null {
  const [title, setTitle] = useState<string | null>(null);
  useEffect(() => {
    setTitle(null);
    if (id === null) return;
    let current = true;
    earshot
      .request('getAnalysis', { params: { job_id: id } })
      .then((job) => current && setTitle(songNames(job).title))
      .catch(() => current && setTitle('A song that is not there'));
    return () => {
      current = false;
    };
  }, [id]);
  return title;
}
