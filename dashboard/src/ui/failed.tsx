import { ApiError } from '@earshot/sdk';
import { Link } from 'wouter';

/** What could not be loaded: why, and the one thing that can help. */
export function Failed({ error, reload }: { error: Error; reload: () => void }) {
  // The same address with a new session: signing in leads back here.
  if (error instanceof ApiError && error.status === 401) {
    return (
      <div className="page-state" role="alert">
        <p>Your session has ended.</p>
        <button type="button" className="main" onClick={() => window.location.reload()}>
          Sign in again
        </button>
      </div>
    );
  }
  if (error instanceof ApiError && error.status === 404) {
    return (
      <div className="page-state" role="alert">
        <p>There is nothing here. It may have been deleted, or belong to another workspace.</p>
        <Link className="button" href="/">
          Go to the library
        </Link>
      </div>
    );
  }
  const mayHelp = !(error instanceof ApiError && error.status === 403);
  return (
    <div className="page-state" role="alert">
      <p>{navigator.onLine ? error.message : 'You seem to be offline.'}</p>
      {mayHelp && (
        <button type="button" onClick={reload}>
          Try again
        </button>
      )}
    </div>
  );
}
