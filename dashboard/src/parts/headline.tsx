import { formatClock, formatPercent } from '../format.ts';
import type { Result } from '../result.ts';

/** The numbers a person came for, each with how sure we are of it. */
export function Headline({ result }: { result: Result }) {
  return (
    <dl className="numbers">
      {tilesOf(result).map(([label, value, note]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value}
            <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function tilesOf(result: Result): [label: string, value: string, note: string][] {
  const sure = (confidence: number | null) =>
    confidence === null ? '' : `${formatPercent(confidence)} sure`;
  const withUnit = (value: number | null, unit: string, digits: number) =>
    value === null ? '–' : `${value.toFixed(digits).replace('-', '−')} ${unit}`;
  return [
    ['Tempo', withUnit(result.bpm, 'BPM', 2), sure(result.bpm_confidence)],
    [
      'Key',
      result.key_notation ?? '–',
      [result.camelot, sure(result.key_confidence)].filter(Boolean).join(', '),
    ],
    ['Meter', result.time_signature === null ? '–' : `${result.time_signature}/4`, ''],
    ['Loudness', withUnit(result.loudness_lufs, 'LUFS', 1), ''],
    ['True peak', withUnit(result.true_peak_dbtp, 'dBTP', 1), ''],
    ['Length', formatClock(result.duration_seconds), ''],
  ];
}
