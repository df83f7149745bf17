import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { type Profile, useSession } from '../session.tsx';
import { useTitle } from '../use-title.ts';
import { Brand } from './brand.tsx';
import { WorkspaceChoice } from './workspace-choice.tsx';

const PAGES = [
  ['/', 'Analyses'],
  ['/keys', 'API keys'],
  ['/webhooks', 'Webhooks'],
  ['/team', 'Team'],
  ['/billing', 'Usage and billing'],
  ['/audit', 'Audit log'],
  ['/profile', 'Profile'],
] as const;

export function Shell({ profile, children }: { profile: Profile; children: ReactNode }) {
  const [location] = useLocation();
  const { signOut } = useSession();
  useTitle(PAGES.find(([path]) => path === location)?.[1] ?? null);
  return (
    <div className="shell">
      <nav aria-label="Main">
        <Brand />
        {PAGES.map(([path, name]) => (
          <Link key={path} href={path} aria-current={location === path ? 'page' : undefined}>
            {name}
          </Link>
        ))}
        <div className="nav-foot">
          <WorkspaceChoice profile={profile} />
          <span>{profile.email}</span>
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </div>
      </nav>
      <main>{children}</main>
    </div>
  );
}
