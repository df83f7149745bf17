import type { LucideIcon } from 'lucide-react';
import { Link } from 'wouter';

export const NAV_ICON_PX = 17;

export function NavLink(props: { path: string; name: string; icon: LucideIcon; current: boolean }) {
  const { path, name, icon: Icon, current } = props;
  return (
    <Link href={path} className="nav-link" aria-current={current ? 'page' : undefined}>
      <Icon size={NAV_ICON_PX} aria-hidden="true" />
      <span>{name}</span>
    </Link>
  );
}
