import { keyColourStyle } from '../ui/key-chip.tsx';

/** As in library.css. */
const HEIGHT_PX = 28;
/** Keeps silence visible as a thin line. */
const HALF_PX_MIN = 0.4;
const HALF_PX_MAX = HEIGHT_PX / 2 - 1;

/** One vertical line per peak in the colour of the song's key; a single path, because a table shows many. */
export function MiniWaveform({
  peaks,
  camelot,
}: {
  peaks: readonly number[] | null;
  camelot: string | null;
}) {
  if (!peaks || peaks.length === 0) return <span className="mini-wave" aria-hidden="true" />;
  const highestPeak = Math.max(1, ...peaks);
  const path = peaks
    .map((peak, index) => {
      const halfPx = Math.max(HALF_PX_MIN, (peak / highestPeak) * HALF_PX_MAX);
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
