import type { ReactNode } from 'react';

/** A list of names and values; a name whose value is null is left out. */
export function Pairs({ rows }: { rows: [name: string, value: ReactNode][] }) {
  const known = rows.filter(([, value]) => value !== null);
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
