import { ApiError } from '@earshot/sdk';
import { Link } from 'wouter';

/** Why something could not be loaded, with the one action that can help. */
export function Failed({ error, reload }: { error: Error; reload: () => void }) {
  // Reloading shows the sign-in page at this address, and signing in leads back to it.
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
  const canRetry = !(error instanceof ApiError && error.status === 403);
  return (
    <div className="page-state" role="alert">
      <p>{navigator.onLine ? error.message : 'You seem to be offline.'}</p>
      {canRetry && (
        <button type="button" onClick={reload}>
          Try again
        </button>
      )}
    </div>
  );
}
