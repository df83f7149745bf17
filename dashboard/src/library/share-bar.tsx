import { formatPercent } from '../format.ts';

/** A share of one as a bar, for columns in which one compares at a glance. */
export function ShareBar({ value }: { value: number | null }) {
  if (value === null) return <span className="soft">–</span>;
  return (
    <span className="energy" title={formatPercent(value)}>
      <i style={{ width: `${Math.round(value * 100)}%` }} />
      <span className="visually-hidden">{formatPercent(value)}</span>
    </span>
  );
}
