/** At the foot of a log: the next page of what was before. */
export function OlderButton({ showOlder }: { showOlder: (() => void) | null }) {
  if (!showOlder) return null;
  return (
    <p className="row older">
      <button type="button" onClick={showOlder}>
        Older
      </button>
    </p>
  );
}
