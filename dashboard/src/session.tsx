import { ApiError, type RequestOutput } from '@earshot/sdk';
import { createContext, type ReactNode, useContext } from 'react';
import { earshot } from './api.ts';
import { Loading } from './ui/loading.tsx';
import { useLoad } from './use-load.ts';

export type Profile = RequestOutput<'getProfile'>;
type SessionState = { profile: Profile | null; reload: () => void; signOut: () => Promise<void> };

const SessionContext = createContext<SessionState | null>(null);

/** Knows who is here before anything is drawn that depends on it. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [loaded, reloadProfile] = useLoad(loadProfile, 'session');
  const reload = () => {
    mayBeSignedIn = true;
    reloadProfile();
  };
  const signOut = async () => {
    await earshot.request('signOut', {});
    // A new page: nothing of what was loaded for this person stays in memory.
    window.location.assign('/');
  };
  if (loaded.state === 'loading') return <Loading reload={reload} />;
  if (loaded.state === 'failed') {
    return (
      <p className="page-state" role="alert">
        {loaded.error.message}{' '}
        <button type="button" onClick={reload}>
          Try again
        </button>
      </p>
    );
  }
  return <SessionContext value={{ profile: loaded.value, reload, signOut }}>{children}</SessionContext>;
}

/** The page itself says so to a visitor without a cookie, who need not ask. */
export let mayBeSignedIn =
  document.querySelector<HTMLMetaElement>('meta[name="signed-in"]')?.content !== 'no';

/** Asked for before anything is drawn; the answer is the first question's. */
let firstProfile: Promise<Profile | null> | null = requestProfile();

function loadProfile(): Promise<Profile | null> {
  const profile = firstProfile ?? requestProfile();
  firstProfile = null;
  return profile;
}

/** Null: nobody is signed in. */
async function requestProfile(): Promise<Profile | null> {
  if (!mayBeSignedIn) return null;
  try {
    return await earshot.request('getProfile', {});
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export type Role = Profile['workspace_role'];
const RANKS: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 };
/** Lowest first. */
export const ROLES = Object.keys(RANKS) as Role[];

/** Whether one may do here what needs a role, at least. The service decides; this spares people what it would refuse. */
export function useMay(least: Role): boolean {
  const { profile } = useSession();
  return profile !== null && RANKS[profile.workspace_role] >= RANKS[least];
}

export function IfMay({ least, children }: { least: Role; children: ReactNode }) {
  return useMay(least) ? children : null;
}

export function useSession(): SessionState {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession outside of SessionProvider');
  return session;
}
