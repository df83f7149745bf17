import { ApiError, type RequestOutput } from '@earshot/sdk';
import { createContext, type ReactNode, useContext } from 'react';
import { earshot } from './api.ts';
import { useLoad } from './use-load.ts';

export type Profile = RequestOutput<'getProfile'>;
type SessionState = { profile: Profile | null; reload: () => void };

const SessionContext = createContext<SessionState | null>(null);

/** Knows who is here before anything is drawn that depends on it. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [loaded, reload] = useLoad(loadProfile, 'session');
  if (loaded.state === 'loading')
    return (
      <p className="page-state" aria-busy="true">
        Loading…
      </p>
    );
  if (loaded.state === 'failed') {
    return (
      <p className="page-state" role="alert">
        The service does not answer: {loaded.error.message}{' '}
        <button type="button" onClick={reload}>
          Try again
        </button>
      </p>
    );
  }
  return <SessionContext value={{ profile: loaded.value, reload }}>{children}</SessionContext>;
}

/** Null: nobody is signed in. */
async function loadProfile(): Promise<Profile | null> {
  try {
    return await earshot.request('getProfile', {});
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export function useSession(): SessionState {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession outside of SessionProvider');
  return session;
}
