import { ListMusic } from 'lucide-react';
import { useHasRole } from '../session.tsx';
import { NavLink } from '../ui/nav-link.tsx';
import { useCollections } from './use-collections.ts';

/** As many as fit into the sidebar; the crates page lists all of them. */
const SHOWN_MAX = 12;

export function CollectionLinks({ location }: { location: string }) {
  const [loaded] = useCollections();
  const mayCreate = useHasRole('member');
  const collections = loaded.state === 'ready' ? loaded.value : [];
  return (
    <>
      <h2>Crates</h2>
      {collections.slice(0, SHOWN_MAX).map(({ id, name }) => (
        <NavLink
          key={id}
          path={`/crates/${id}`}
          name={name}
          icon={ListMusic}
          current={location === `/crates/${id}`}
        />
      ))}
      <NavLink
        path="/crates"
        name={
          loaded.state === 'ready' && collections.length === 0 && mayCreate ? 'Make a crate' : 'All crates'
        }
        icon={ListMusic}
        current={location === '/crates'}
      />
    </>
  );
}
