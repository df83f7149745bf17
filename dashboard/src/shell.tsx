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
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { CrateLinks } from './library/crate-links.tsx';
import { PlayerBar } from './playback/player-bar.tsx';
import { type Profile, useHasRole, useSession } from './session.tsx';
import { chooseTheme, currentTheme, THEMES } from './theme.ts';
import { Brand } from './ui/brand.tsx';
import { Menu, MenuChoice, MenuItem, MenuLine } from './ui/menu.tsx';
import { NAV_ICON_PX, NavLink } from './ui/nav-link.tsx';
import { useToast } from './ui/toasts.tsx';
import { useLoad } from './use-load.ts';
import { useTitle } from './use-title.ts';
import { enterWorkspace, loadWorkspaces } from './workspaces.ts';

/** Listed under the heading “Desk”. */
const SETTINGS_PAGES: { path: string; name: string; icon: LucideIcon; forAdmins?: boolean }[] = [
  { path: '/keys', name: 'API keys', icon: KeyRound, forAdmins: true },
  { path: '/webhooks', name: 'Webhooks', icon: Webhook },
  { path: '/team', name: 'Team', icon: Users },
  { path: '/billing', name: 'Usage and billing', icon: CreditCard },
  { path: '/audit', name: 'Audit log', icon: ScrollText, forAdmins: true },
  { path: '/profile', name: 'Profile and data', icon: Settings },
];

function useAllowedPages(): typeof SETTINGS_PAGES {
  const isAdmin = useHasRole('admin');
  return SETTINGS_PAGES.filter(({ forAdmins }) => isAdmin || !forAdmins);
}

export function Shell({ profile, children }: { profile: Profile; children: ReactNode }) {
  const [location, go] = useLocation();
  useTitle(
    location === '/' ? 'Library' : (SETTINGS_PAGES.find(({ path }) => path === location)?.name ?? null),
  );
  return (
    <div className="shell">
      <nav className="side" aria-label="Main">
        <p className="brand">
          <Brand />
        </p>
        <NavLink path="/" name="Library" icon={Library} current={location === '/'} />
        <div className="beyond-phone">
          <CrateLinks location={location} />
          <h2>Desk</h2>
        </div>
        <span className="only-phone">
          <NavLink path="/crates" name="Crates" icon={ListMusic} current={location.startsWith('/crates')} />
        </span>
        {useAllowedPages().map(({ path, name, icon }) => (
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

function AccountMenu({ profile, go }: { profile: Profile; go: (path: string) => void }) {
  const { signOut } = useSession();
  const showToast = useToast();
  const [theme, setTheme] = useState(currentTheme);
  // Reloaded with the profile: the user may have joined another workspace since.
  const [loaded] = useLoad(loadWorkspaces, profile);
  const workspaces = loaded.state === 'ready' ? loaded.value.workspaces : [];
  return (
    <Menu
      trigger={
        <button type="button" className="quiet">
          <UserRound size={NAV_ICON_PX} aria-hidden="true" />
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
          <MenuItem
            key={workspace_id}
            onSelect={() =>
              void enterWorkspace(workspace_id).catch((error: Error) => showToast(error.message))
            }
          >
            Switch to {workspace_name}
          </MenuItem>
        ))}
      {workspaces.length > 1 && <MenuLine />}
      {useAllowedPages().map(({ path, name }) => (
        <MenuItem key={path} onSelect={() => go(path)}>
          {name}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuChoice
        label="Theme"
        options={THEMES}
        value={theme}
        onChange={(chosen) => {
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      />
      <MenuLine />
      <MenuItem onSelect={() => void signOut().catch((error: Error) => showToast(error.message))}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
