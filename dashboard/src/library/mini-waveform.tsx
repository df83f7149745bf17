import { keyColourStyle } from '../ui/key-chip.tsx';

/** As high as the style sheet shows it. */
const HEIGHT_PX = 28;
/** Silence is a thin line, too. */
const HALF_PX_MIN = 0.4;
const HALF_PX_MAX = HEIGHT_PX / 2 - 1;

/** The song at a glance, in the colour of its key: a line for each peak, all of them one path. */
export function MiniWaveform({
  peaks,
  camelot,
}: {
  peaks: readonly number[] | null;
  camelot: string | null;
}) {
  if (!peaks || peaks.length === 0) return <span className="mini-wave" aria-hidden="true" />;
  const highest = Math.max(1, ...peaks);
  const path = peaks
    .map((peak, index) => {
      const halfPx = Math.max(HALF_PX_MIN, (peak / highest) * HALF_PX_MAX);
      return `M${index} ${HEIGHT_PX / 2 - halfPx}V${HEIGHT_PX / 2 + halfPx}`;
    })
    .join('');
  return (
    <svg
      className="mini-wave"
      viewBox={`0 0 ${peaks.length} ${HEIGHT_PX}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      stroke="currentcolor"
      style={camelot ? keyColourStyle(camelot) : undefined}
    >
      <path d={path} />
    </svg>
  );
}
