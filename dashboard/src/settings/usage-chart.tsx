import type { RequestOutput } from '@earshot/sdk';
import { formatMonth } from '../format.ts';

/** As in settings.css. */
const HEIGHT_PX = 90;
/** Width of a day in units of the viewBox, which the page stretches to its own width. */
const DAY_UNITS = 10;

type Usage = Extract<RequestOutput<'getUsage'>, { days: unknown }>;

/** Analysis credits per day of the month; their sum is the number shown above the chart. */
export function UsageChart({ usage }: { usage: Usage }) {
  const counts = countByDay(usage);
  const highestCount = Math.max(...counts);
  const month = formatMonth(usage.month);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <figure className="card">
      <figcaption>
        Analyses{' '}
        <span className="soft">
          in {month}, {highestCount} on the busiest day
        </span>
      </figcaption>
      <svg
        className="usage-bars"
        viewBox={`0 0 ${counts.length * DAY_UNITS} ${HEIGHT_PX}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${total} analyses in ${month}, ${highestCount} on the busiest day`}
      >
        <title>Analyses a day</title>
        {counts.map((count, day) => {
          const heightUnits = Math.max(1, (count / Math.max(1, highestCount)) * (HEIGHT_PX - 2));
          return (
            <rect
              key={day}
              className={count === 0 ? 'empty' : undefined}
              x={day * DAY_UNITS + 1}
              y={HEIGHT_PX - heightUnits}
              width={DAY_UNITS - 2}
              height={heightUnits}
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

/** Credits used on each day of the month; index 0 is the first day. */
export function countByDay({ month, days }: Pick<Usage, 'month' | 'days'>): number[] {
  const lastDay = new Date(`${month}-01T00:00:00Z`);
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0);
  const counts = new Array<number>(lastDay.getUTCDate()).fill(0);
  for (const { date, credits } of days) counts[Number(date.slice(8)) - 1] = credits;
  return counts;
}
