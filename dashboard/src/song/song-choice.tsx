import { ApiError, type RequestOutput } from '@earshot/sdk';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { earshot } from '../api.ts';
import { DEBOUNCE_MS } from '../library/search.ts';
import { SEARCH_CHARACTERS_MAX } from '../service-limits.ts';
import { songNames } from '../song-names.ts';
import { Failed } from '../ui/failed.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { type Loaded, useLoad } from '../use-load.ts';

type Job = RequestOutput<'listAnalyses'>[number];

/** Scrolls in the list; a further word narrows it faster than reading more. */
const OPTIONS_MAX = 12;

/** A combobox for one song of the whole library: the server searches, and lists the newest first. */
export function SongChoice(props: { label: string; value: string | null; onChange: (id: string) => void }) {
  const { label, value, onChange } = props;
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [activeIndex, setActive] = useState(0);
  const [options, retry] = useOptions(typed, open);
  const [chosen, reload] = useLoad((signal) => loadChosen(value, signal), value ?? '');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const songs = options.state === 'ready' ? options.value : [];
  const title = chosen.state === 'ready' && chosen.value.id === value ? chosen.value.title : null;

  // Selects the chosen title, so that typing replaces it.
  useEffect(() => {
    if (!open && document.activeElement === field.current) field.current?.select();
  }, [open, title]);

  const show = () => {
    if (open) return;
    setActive(0);
    setOpen(true);
  };
  const choose = (job: Job) => {
    setOpen(false);
    setTyped('');
    onChange(job.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // In an input method editor, Enter confirms a Japanese word.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) return show();
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setActive((now) => Math.max(0, Math.min(songs.length - 1, now + by)));
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      const active = songs[activeIndex];
      if (active) choose(active);
    } else if (event.key === 'Escape') {
      // Chromium would clear a search field, which would search for everything.
      event.preventDefault();
      setOpen(false);
    }
  };
  return (
    <div className="grow">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only notices that the focus has left both the field and its list. */}
      <div
        className="song-choice"
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}
      >
        <label htmlFor={id}>{label}</label>
        <input
          ref={field}
          id={id}
          type="search"
          role="combobox"
          autoComplete="off"
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-activedescendant={open && songs[activeIndex] ? `${id}-${activeIndex}` : undefined}
          placeholder={title ?? 'Search your library'}
          value={open ? typed : (title ?? '')}
          maxLength={SEARCH_CHARACTERS_MAX}
          onFocus={show}
          onClick={show}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(0);
            setOpen(true);
          }}
        />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the field, or the list would close before the click. */}
        <div className="song-options" hidden={!open} onMouseDown={(event) => event.preventDefault()}>
          <Options id={id} label={label} songs={songs} activeIndex={activeIndex} onChoose={choose} />
          {open && (
            <LoadedView
              loaded={options}
              reload={() => {
                // The button that has the focus disappears with the failure.
                field.current?.focus();
                retry();
              }}
            >
              {({ length }) => length === 0 && <p className="page-state">No song matches this search.</p>}
            </LoadedView>
          )}
        </div>
      </div>
      {chosen.state === 'failed' && <Failed error={chosen.error} reload={reload} />}
    </div>
  );
}

function Options(props: {
  /** The field's id, the prefix of the list's and the options' ids. */
  id: string;
  label: string;
  songs: readonly Job[];
  activeIndex: number;
  onChoose: (job: Job) => void;
}) {
  const { id, label, songs, activeIndex, onChoose } = props;
  const active = useRef<HTMLDivElement>(null);
  useEffect(() => void active.current?.scrollIntoView({ block: 'nearest' }), [activeIndex]);
  return (
    // Rendered even when empty, because the field's aria-controls refers to it.
    <div id={`${id}-list`} role="listbox" aria-label={label}>
      {songs.map((job, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: key events go to the field, which has the focus.
        <div
          key={job.id}
          ref={index === activeIndex ? active : null}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === activeIndex}
          onClick={() => onChoose(job)}
        >
          <bdi>{songNames(job).title}</bdi>
          <bdi className="soft small">{songNames(job).artist}</bdi>
        </div>
      ))}
    </div>
  );
}

/** The songs that match the typed text, loaded while the list is open. A response is shown only for the search it belongs to. */
function useOptions(typed: string, open: boolean): [Loaded<readonly Job[]>, retry: () => void] {
  const [retryCount, setRetryCount] = useState(0);
  const [answer, setAnswer] = useState<{ search: object; options: Loaded<readonly Job[]> } | null>(null);
  const text = typed.trim();
  const search = useMemo(() => ({ text, open, retryCount }), [text, open, retryCount]);
  useEffect(() => {
    if (!search.open) return;
    const stop = new AbortController();
    const send = () => {
      const query = {
        status: 'completed' as const,
        limit: OPTIONS_MAX,
        ...(search.text && { q: search.text }),
      };
      earshot.request('listAnalyses', { query, signal: stop.signal }).then(
        (value) => setAnswer({ search, options: { state: 'ready', value } }),
        (error: Error) => !stop.signal.aborted && setAnswer({ search, options: { state: 'failed', error } }),
      );
    };
    const timer = setTimeout(send, search.text === '' ? 0 : DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [search]);
  const options = answer?.search === search ? answer.options : ({ state: 'loading' } as const);
  return [options, () => setRetryCount((count) => count + 1)];
}

async function loadChosen(id: string | null, signal: AbortSignal) {
  if (id === null) return { id, title: null };
  try {
    const job = await earshot.request('getAnalysis', { params: { job_id: id }, signal });
    return { id, title: songNames(job).title };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { id, title: 'A song that is not there' };
    throw error;
  }
}
