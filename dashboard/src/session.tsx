import { ApiError, type RequestOutput } from '@earshot/sdk';
import { createContext, type ReactNode, useContext } from 'react';
import { earshot } from './api.ts';
import { reloadAtHome } from './reload-at-home.ts';
import { isAtLeast, type Role } from './roles.ts';
import { LoadedView } from './ui/loaded-view.tsx';
import { useLoad } from './use-load.ts';

export type Profile = RequestOutput<'getProfile'>;
type SessionState = { profile: Profile | null; reload: () => void; signOut: () => Promise<void> };

const SessionContext = createContext<SessionState | null>(null);

/** Renders its children only once it is known whether a user is signed in. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [loaded, reloadProfile] = useLoad(loadProfile, 'session');
  const reload = () => {
    mayBeSignedIn = true;
    reloadProfile();
  };
  const signOut = async () => {
    await earshot.request('signOut', {}).catch(acceptSignedOut);
    reloadAtHome();
  };
  return (
    <LoadedView loaded={loaded} reload={reload}>
      {(profile) => <SessionContext value={{ profile, reload, signOut }}>{children}</SessionContext>}
    </LoadedView>
  );
}

/** The service writes this meta tag into the page: without a session cookie there is no profile to request. */
export let mayBeSignedIn =
  document.querySelector<HTMLMetaElement>('meta[name="signed-in"]')?.content !== 'no';

/** Requested before the first render; the first `loadProfile` uses it, later ones request again. */
let firstProfile: Promise<Profile | null> | null = requestProfile();

function loadProfile(): Promise<Profile | null> {
  const profile = firstProfile ?? requestProfile();
  firstProfile = null;
  return profile;
}

/** Null when no user is signed in. */
async function requestProfile(): Promise<Profile | null> {
  if (!mayBeSignedIn) return null;
  return earshot.request('getProfile', {}).catch(acceptSignedOut);
}

/** Null if the request failed because no user is signed in; rethrows other errors. */
function acceptSignedOut(error: unknown): null {
  if (error instanceof ApiError && error.status === 401) return null;
  throw error;
}

/** The service enforces roles; this only hides what it would refuse. */
export function useHasRole(atLeast: Role): boolean {
  const { profile } = useSession();
  return profile !== null && isAtLeast(profile.workspace_role, atLeast);
}

export function RequireRole({ atLeast, children }: { atLeast: Role; children: ReactNode }) {
  return useHasRole(atLeast) ? children : null;
}

export function useSession(): SessionState {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession outside of SessionProvider');
  return session;
}
