import { formatPercent } from '../format.ts';

/** A share of one as a bar. Silent: what stands beside it says the same in words. */
export function Bar({ share }: { share: number }) {
  return (
    <span className="share-bar" aria-hidden="true">
      <i style={{ width: `${Math.round(share * 100)}%` }} />
    </span>
  );
}

/** The same for columns in which one compares at a glance, with its words for a pointer and a screen reader. */
export function ShareBar({ share }: { share: number | null }) {
  if (share === null) return <span className="soft">–</span>;
  return (
    <span title={formatPercent(share)}>
      <Bar share={share} />
      <span className="visually-hidden">{formatPercent(share)}</span>
    </span>
  );
}
