export function Loading() {
  return (
    <p className="page-state" role="status" aria-busy="true">
      Loading…
    </p>
  );
}
