import { mixesWith } from '../camelot.ts';

/** The twelve hours of the Camelot wheel, minor inside: the song's key filled, what mixes with it outlined. */
export function CamelotWheel({ camelot }: { camelot: string }) {
  const mixes = mixesWith(camelot);
  const places = Array.from({ length: 12 }, (_, index) => index + 1).flatMap((number) => [
    { code: `${number}B`, radius: 84, number },
    { code: `${number}A`, radius: 54, number },
  ]);
  return (
    <svg
      viewBox="-100 -100 200 200"
      className="wheel"
      role="img"
      aria-label={`Camelot ${camelot}; mixes with ${mixes.join(', ')}`}
    >
      <title>Camelot wheel</title>
      {places.map(({ code, radius, number }) => {
        const angle = (number / 12) * 2 * Math.PI - Math.PI / 2;
        const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
        return (
          <g key={code} data-kind={code === camelot ? 'own' : mixes.includes(code) ? 'mixes' : undefined}>
            <circle cx={x} cy={y} r={13} />
            <text x={x} y={y + 4} textAnchor="middle">
              {code}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
