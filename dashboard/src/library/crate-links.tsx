import { ListMusic } from 'lucide-react';
import { useHasRole } from '../session.tsx';
import { NavLink } from '../ui/nav-link.tsx';
import { sidebarCrates } from './sidebar-crates.ts';
import { useCrates } from './use-crates.ts';

export function CrateLinks({ location }: { location: string }) {
  const [crates] = useCrates();
  const mayCreate = useHasRole('member');
  return (
    <>
      <h2>Crates</h2>
      {sidebarCrates(crates, mayCreate).map(({ path, name }) => (
        <NavLink key={path} path={path} name={name} icon={ListMusic} current={location === path} />
      ))}
    </>
  );
}
