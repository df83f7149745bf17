import { useEffect, useState } from 'react';

/** Most responses arrive well within this; after it, users wonder whether anything is still happening. */
const SLOW_MS = 8_000;

/**
 * A loading message. The SDK repeats a request up to four times, and waits up to a minute before each if the service's Retry-After asks
 * for it, so after a while the message says so and offers to try again.
 */
export function Loading({ reload = () => window.location.reload() }: { reload?: () => void }) {
  const [retryCount, setRetryCount] = useState(0);
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    setIsSlow(false);
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [retryCount]);
  return (
    // Screen readers may keep what is busy to themselves, and the message about slowness is to be heard.
    <div className="page-state" role="status" aria-busy={!isSlow}>
      <p>
        {isSlow ? 'The service is slow or has too many requests. This page goes on by itself.' : 'Loading…'}
      </p>
      {isSlow && (
        <button
          type="button"
          onClick={() => {
            setRetryCount(retryCount + 1);
            reload();
          }}
        >
          Try again
        </button>
      )}
    </div>
  );
}
