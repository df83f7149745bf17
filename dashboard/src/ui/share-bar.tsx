import { formatPercent } from '../format.ts';

/** A share from 0 to 1 as a bar, hidden from screen readers because the text beside it says the same. */
export function Bar({ share }: { share: number }) {
  return (
    <span className="share-bar" aria-hidden="true">
      <i style={{ width: `${Math.round(share * 100)}%` }} />
    </span>
  );
}

/** A bar for table columns, where there is no text beside it: the number is a tooltip and a text for screen readers. */
export function ShareBar({ share }: { share: number | null }) {
  if (share === null) return <span className="soft">–</span>;
  return (
    <span title={formatPercent(share)}>
      <Bar share={share} />
      <span className="visually-hidden">{formatPercent(share)}</span>
    </span>
  );
}
