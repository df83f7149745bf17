import type { RequestOutput } from '@earshot/sdk';
import { formatMonth } from '../format.ts';

const HEIGHT = 90;
const BAR = 10;

type Usage = Extract<RequestOutput<'getUsage'>, { days: unknown }>;

/** Credits of each day of the month: the bars together are the number above them. */
export function UsageChart({ usage }: { usage: Usage }) {
  const counts = countByDay(usage);
  const highest = Math.max(1, ...counts);
  const month = formatMonth(usage.month);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <figure className="card">
      <figcaption>
        Analyses{' '}
        <span className="soft">
          in {month}, {highest} on the busiest day
        </span>
      </figcaption>
      <svg
        className="bars"
        viewBox={`0 0 ${counts.length * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${total} analyses in ${month}, ${highest} on the busiest day`}
      >
        <title>Analyses a day</title>
        {counts.map((count, day) => {
          const height = Math.max(1, (count / highest) * (HEIGHT - 2));
          return (
            <rect
              key={day}
              className={count === 0 ? 'empty' : undefined}
              x={day * BAR + 1}
              y={HEIGHT - height}
              width={BAR - 2}
              height={height}
            />
          );
        })}
      </svg>
      <p className="soft small bar-days" aria-hidden="true">
        {[1, 8, 15, 22, counts.length].map((day) => (
          <span key={day}>{day}</span>
        ))}
      </p>
    </figure>
  );
}

function countByDay({ month, days }: Usage): number[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const counts = new Array<number>(new Date(Date.UTC(year, number, 0)).getUTCDate()).fill(0);
  for (const { date, credits } of days) counts[Number(date.slice(8)) - 1] = credits;
  return counts;
}
