import { useEffect, useState } from 'react';

/** Chosen: what is on its way is mostly there by then, and who waits longer wonders whether it still is. */
const LONG_MS = 8_000;

/** The SDK asks a service again for as long as the service wants to be left alone, which may be minutes: a person is told. */
export function Loading({ reload = () => window.location.reload() }: { reload?: () => void }) {
  const [round, setRound] = useState(0);
  const [long, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, [round]);
  return (
    <div className="page-state" role="status" aria-busy="true">
      <p>
        {long ? 'The service is slow or has too many requests. This page goes on by itself.' : 'Loading…'}
      </p>
      {long && (
        <button
          type="button"
          onClick={() => {
            setRound(round + 1);
            reload();
          }}
        >
          Try again
        </button>
      )}
    </div>
  );
}
