import type { RequestOutput } from '@earshot/sdk';
import { formatMonth } from '../format.ts';

/** As in desk.css. */
const HEIGHT_PX = 90;
/** A day, in units of the drawing: the page stretches it to its own width. */
const DAY_UNITS = 10;

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
        className="usage-bars"
        viewBox={`0 0 ${counts.length * DAY_UNITS} ${HEIGHT_PX}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${total} analyses in ${month}, ${highest} on the busiest day`}
      >
        <title>Analyses a day</title>
        {counts.map((count, day) => {
          const heightPx = Math.max(1, (count / highest) * (HEIGHT_PX - 2));
          return (
            <rect
              key={day}
              className={count === 0 ? 'empty' : undefined}
              x={day * DAY_UNITS + 1}
              y={HEIGHT_PX - heightPx}
              width={DAY_UNITS - 2}
              height={heightPx}
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

/** Of every day of the month, from its first. */
export function countByDay({ month, days }: Pick<Usage, 'month' | 'days'>): number[] {
  const last = new Date(`${month}-01T00:00:00Z`);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  const counts = new Array<number>(last.getUTCDate()).fill(0);
  for (const { date, credits } of days) counts[Number(date.slice(8)) - 1] = credits;
  return counts;
}
