import { camelotColour } from '../camelot.ts';

/** The song at a glance, in the colour of its key: 120 peaks as one path. */
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
      const half = Math.max(0.4, (peak / highest) * 13);
      return `M${index} ${14 - half}V${14 + half}`;
    })
    .join('');
  return (
    <svg
      className="mini-wave"
      viewBox={`0 0 ${peaks.length} 28`}
      preserveAspectRatio="none"
      aria-hidden="true"
      stroke="currentcolor"
      style={camelot ? ({ '--key-colour': camelotColour(camelot) } as React.CSSProperties) : undefined}
    >
      <path d={path} />
    </svg>
  );
}
