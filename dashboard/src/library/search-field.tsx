import { Search as SearchIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { SEARCH_CHARACTERS_MAX } from '../service-limits.ts';
import { DEBOUNCE_MS, fieldText, type Search } from './search.ts';

export function SearchField(props: {
  search: Search;
  onSearch: (search: Search) => void;
  field: React.RefObject<HTMLInputElement | null>;
}) {
  const { search, onSearch, field } = props;
  const [typed, setTyped] = useState(search.q);
  // Distinguishes our own change of the URL from another's, such as a link or "Clear filters".
  const submitted = useRef(search.q);
  // The timer must apply the text to the filters as they are when it fires.
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const timer = setTimeout(() => {
      const { search: current } = latest.current;
      if (typed.trim() === current.q) return;
      submitted.current = typed;
      latest.current.onSearch({ ...current, q: typed });
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    // Read before it changes: React may run the updater later, during the next render.
    const lastSubmitted = submitted.current;
    setTyped((text) => fieldText(text, { submitted: lastSubmitted, q: search.q }));
    submitted.current = search.q;
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
