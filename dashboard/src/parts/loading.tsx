export function Loading() {
  return (
    <p className="page-state" aria-busy="true">
      Loading…
    </p>
  );
}
