import { ListMusic } from 'lucide-react';
import { Link } from 'wouter';
import { useCollections } from './use-collections.ts';

/** As many as the side of the page has room for; the rest are on the page of crates. */
const SHOWN_MAX = 12;

export function CollectionLinks({ location }: { location: string }) {
  const [loaded] = useCollections();
  const collections = loaded.state === 'ready' ? loaded.value : [];
  return (
    <>
      <h2>Crates</h2>
      {collections.slice(0, SHOWN_MAX).map(({ id, name }) => (
        <Link
          key={id}
          href={`/crates/${id}`}
          className="nav-link"
          aria-current={location === `/crates/${id}` ? 'page' : undefined}
        >
          <ListMusic size={17} aria-hidden="true" />
          <span>{name}</span>
        </Link>
      ))}
      <Link href="/crates" className="nav-link" aria-current={location === '/crates' ? 'page' : undefined}>
        <ListMusic size={17} aria-hidden="true" />
        <span>{collections.length > 0 ? 'All crates' : 'Make a crate'}</span>
      </Link>
    </>
  );
}
