import { earshot } from '../api.ts';
import { LoadedView } from '../ui/loaded-view.tsx';
import { useLoad } from '../use-load.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const HEIGHT = 90;
const BAR = 10;

/** Analyses of each of the last thirty days, from the newest thousand. */
export function UsageChart() {
  const [days, reload] = useLoad(countByDay, 'usage by day');
  return (
    <LoadedView loaded={days} reload={reload}>
      {(counts) => {
        const highest = Math.max(1, ...counts);
        const total = counts.reduce((sum, count) => sum + count, 0);
        return (
          <figure className="card">
            <figcaption>
              Analyses{' '}
              <span className="soft">
                of the last {DAYS} days, at most {highest} a day
              </span>
            </figcaption>
            <svg
              className="bars"
              viewBox={`0 0 ${DAYS * BAR} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${total} analyses in the last ${DAYS} days, at most ${highest} a day`}
            >
              <title>Analyses a day</title>
              {counts.map((count, day) => {
                const height = (count / highest) * (HEIGHT - 2);
                return (
                  <rect key={day} x={day * BAR + 1} y={HEIGHT - height} width={BAR - 2} height={height} />
                );
              })}
            </svg>
          </figure>
        );
      }}
    </LoadedView>
  );
}

const PAGES_MAX = 10;

async function countByDay(): Promise<number[]> {
  const today = Math.floor(Date.now() / DAY_MS);
  const counts = new Array<number>(DAYS).fill(0);
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const jobs = await earshot.request('listAnalyses', { query: { limit: 100, after } });
    for (const { created_at } of jobs) {
      const day = DAYS - 1 - (today - Math.floor(Date.parse(created_at) / DAY_MS));
      if (counts[day] !== undefined) counts[day] += 1;
    }
    after = jobs.at(-1)?.id;
    if (jobs.length < 100 || counts[0] !== 0) break;
  }
  return counts;
}
