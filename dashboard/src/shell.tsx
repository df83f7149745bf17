import {
  CreditCard,
  KeyRound,
  Library,
  ListMusic,
  type LucideIcon,
  ScrollText,
  Settings,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { earshot } from './api.ts';
import { CollectionLinks } from './library/collection-links.tsx';
import { PlayerBar } from './playback/player-bar.tsx';
import { type Profile, useSession } from './session.tsx';
import { chooseTheme, currentTheme, THEMES } from './theme.ts';
import { Brand } from './ui/brand.tsx';
import { Menu, MenuItem, MenuLine } from './ui/menu.tsx';
import { useTell } from './ui/toasts.tsx';
import { useLoad } from './use-load.ts';
import { useTitle } from './use-title.ts';

const DESK: [path: string, name: string, icon: LucideIcon][] = [
  ['/keys', 'API keys', KeyRound],
  ['/webhooks', 'Webhooks', Webhook],
  ['/team', 'Team', Users],
  ['/billing', 'Usage and billing', CreditCard],
  ['/audit', 'Audit log', ScrollText],
  ['/profile', 'Profile and data', Settings],
];

export function Shell({ profile, children }: { profile: Profile; children: ReactNode }) {
  const [location, go] = useLocation();
  useTitle(location === '/' ? 'Library' : (DESK.find(([path]) => path === location)?.[1] ?? null));
  return (
    <div className="shell">
      <nav className="side" aria-label="Main">
        <p className="brand">
          <Brand />
        </p>
        <NavLink path="/" name="Library" icon={Library} current={location === '/'} />
        <div className="beyond-phone">
          <CollectionLinks location={location} />
          <h2>Desk</h2>
        </div>
        <span className="only-phone">
          <NavLink path="/crates" name="Crates" icon={ListMusic} current={location.startsWith('/crates')} />
        </span>
        {DESK.map(([path, name, icon]) => (
          <span key={path} className="beyond-phone">
            <NavLink path={path} name={name} icon={icon} current={location === path} />
          </span>
        ))}
        <div className="nav-foot">
          <AccountMenu profile={profile} go={go} />
        </div>
      </nav>
      <main>{children}</main>
      <PlayerBar />
    </div>
  );
}

function NavLink(props: { path: string; name: string; icon: LucideIcon; current: boolean }) {
  const { path, name, icon: Icon, current } = props;
  return (
    <Link href={path} className="nav-link" aria-current={current ? 'page' : undefined}>
      <Icon size={17} aria-hidden="true" />
      <span>{name}</span>
    </Link>
  );
}

/** Who one is, the way into another workspace, the desk on a phone, the look, and the way out. */
function AccountMenu({ profile, go }: { profile: Profile; go: (path: string) => void }) {
  const { signOut } = useSession();
  const tell = useTell();
  const [answer, reload] = useLoad(
    () => earshot.request('listWorkspaces', { query: { limit: 100 } }),
    profile.workspace_id,
  );
  // A profile that was read anew may be that of somebody who has joined another workspace.
  useEffect(reload, [profile, reload]);
  const workspaces = answer.state === 'ready' ? answer.value.workspaces : [];
  const enter = (workspaceId: string) =>
    void earshot.request('switchWorkspace', { params: { workspace_id: workspaceId } }).then(
      // A new page: nothing of the other workspace stays in memory.
      () => window.location.assign('/'),
      (error: Error) => tell(error.message),
    );
  return (
    <Menu
      label="Account"
      trigger={
        <button type="button" className="quiet">
          <UserRound size={17} aria-hidden="true" />
          <span className="only-phone">Account</span>
          <span className="account">
            <span className="visually-hidden">Account of </span>
            <span>{profile.workspace_name}</span>
            <span className="soft small">{profile.email}</span>
          </span>
        </button>
      }
    >
      {workspaces
        .filter(({ current }) => !current)
        .map(({ workspace_id, workspace_name }) => (
          <MenuItem key={workspace_id} onSelect={() => enter(workspace_id)}>
            Switch to {workspace_name}
          </MenuItem>
        ))}
      {workspaces.length > 1 && <MenuLine />}
      {DESK.map(([path, name]) => (
        <MenuItem key={path} onSelect={() => go(path)}>
          {name}
        </MenuItem>
      ))}
      <MenuLine />
      {THEMES.map(([theme, words]) => (
        <MenuItem key={theme} onSelect={() => chooseTheme(theme)}>
          {words}
          {currentTheme() === theme && ' ✓'}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => void signOut()}>Sign out</MenuItem>
    </Menu>
  );
}
