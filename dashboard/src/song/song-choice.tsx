import { ApiError, type RequestOutput } from '@earshot/sdk';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { earshot } from '../api.ts';
import { SEARCH_CHARACTERS_MAX } from '../service-limits.ts';
import { songNames } from '../song-names.ts';
import { Failed } from '../ui/failed.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { type Loaded, useLoad } from '../use-load.ts';

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
  const [offered, askAgain] = useOffered(typed, open);
  const [chosen, reload] = useLoad((signal) => loadChosen(value, signal), value ?? '');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const songs = offered.state === 'ready' ? offered.value : [];
  const title = chosen.state === 'ready' && chosen.value.id === value ? chosen.value.title : null;

  // What is typed next is a new search, and not more of the chosen title.
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
    // Enter also ends the writing of a Japanese word.
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
      // Chromium would empty the field, which is a search for everything.
      event.preventDefault();
      setOpen(false);
    }
  };
  return (
    <div className="grow">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: of the field and what hangs below it, whether the focus has left both. */}
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
        {/* biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the field; else it would close under the pointer. */}
        <div className="song-options" hidden={!open} onMouseDown={(event) => event.preventDefault()}>
          <Options id={id} label={label} songs={songs} activeIndex={activeIndex} onChoose={choose} />
          <LoadedView
            loaded={offered}
            reload={() => {
              // The button goes with the failure.
              field.current?.focus();
              askAgain();
            }}
          >
            {({ length }) => length === 0 && <p className="page-state">No song matches this search.</p>}
          </LoadedView>
        </div>
      </div>
      {chosen.state === 'failed' && <Failed error={chosen.error} reload={reload} />}
    </div>
  );
}

function Options(props: {
  /** Of the field; that of the list and of its options begin with it. */
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
    // Empty or not, it is always there, so that what the field says of it holds.
    <div id={`${id}-list`} role="listbox" aria-label={label}>
      {songs.map((job, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go to the field, which has the focus.
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

/** What the library has for the words that are typed, while the list is open: an answer counts for its own question alone. */
function useOffered(typed: string, open: boolean): [Loaded<readonly Job[]>, askAgain: () => void] {
  const [round, setRound] = useState(0);
  const [answer, setAnswer] = useState<{ question: object; offered: Loaded<readonly Job[]> } | null>(null);
  const words = typed.trim();
  const question = useMemo(() => ({ words, open, round }), [words, open, round]);
  useEffect(() => {
    if (!question.open) return;
    const stop = new AbortController();
    const ask = () => {
      const query = {
        status: 'completed' as const,
        limit: OFFERED_MAX,
        ...(question.words && { q: question.words }),
      };
      earshot.request('listAnalyses', { query, signal: stop.signal }).then(
        (value) => setAnswer({ question, offered: { state: 'ready', value } }),
        (error: Error) =>
          !stop.signal.aborted && setAnswer({ question, offered: { state: 'failed', error } }),
      );
    };
    const timer = setTimeout(ask, question.words === '' ? 0 : DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [question]);
  const offered = answer?.question === question ? answer.offered : ({ state: 'loading' } as const);
  return [offered, () => setRound((value) => value + 1)];
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
