import type { ReactNode } from 'react';

/** Names and their values; a name without a value is left out. */
export function Pairs({ rows }: { rows: [name: string, value: ReactNode][] }) {
  const known = rows.filter(([, value]) => value !== null && value !== undefined);
  if (known.length === 0) return null;
  return (
    <dl className="pairs">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
