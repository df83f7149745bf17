/** Shows the next page of older entries, at the end of a log; null `showOlder` means that there are none. */
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
