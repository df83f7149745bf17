import { Search as SearchIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { SEARCH_CHARACTERS_MAX } from '../service-limits.ts';
import { fieldText, type Search } from './search.ts';

/** So long after the last key the service is asked: between two keys of one who types. */
const DEBOUNCE_MS = 200;

export function SearchField(props: {
  search: Search;
  onSearch: (search: Search) => void;
  field: React.RefObject<HTMLInputElement | null>;
}) {
  const { search, onSearch, field } = props;
  const [typed, setTyped] = useState(search.q);
  // Tells a change of our own from one of somebody else's: a link, or "Clear filters".
  const asked = useRef(search.q);
  // The timer goes by the filters of the moment it fires.
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const timer = setTimeout(() => {
      const { search: now } = latest.current;
      if (typed.trim() === now.q) return;
      asked.current = typed;
      latest.current.onSearch({ ...now, q: typed });
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    setTyped((now) => fieldText(now, { asked: asked.current, q: search.q }));
    asked.current = search.q;
  }, [search.q]);
  return (
    <div className="search-field">
      <SearchIcon size={16} aria-hidden="true" />
      <input
        ref={field}
        type="search"
        aria-label="Search the library"
        aria-keyshortcuts="/"
        placeholder="Title, artist, tag, note…"
        maxLength={SEARCH_CHARACTERS_MAX}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          setTyped('');
          onSearch({ ...search, q: '' });
          event.currentTarget.blur();
        }}
      />
      <kbd>/</kbd>
    </div>
  );
}
