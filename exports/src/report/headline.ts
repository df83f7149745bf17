import type { CorrectionKind } from '../corrections/corrections.ts';
import type { ResultDocument } from '../result-document.ts';
import { formatClock } from './drawing.ts';

/** The numbers people look for first. */
export function headlineOf(document: ResultDocument): { label: string; value: string; note: string }[] {
  const sure = (confidence: number | null, kind: CorrectionKind) => {
    if (document.corrections?.kinds.includes(kind)) return 'corrected by hand';
    return confidence === null ? '' : `${Math.round(confidence * 100)} % sure`;
  };
  return [
    {
      label: 'Tempo',
      value: document.bpm === null ? '–' : `${document.bpm.toFixed(2)} BPM`,
      note: sure(document.bpm_confidence, 'tempo'),
    },
    {
      label: 'Key',
      value: document.key_notation ?? '–',
      note: [document.camelot, sure(document.key_confidence, 'key')].filter(Boolean).join(', '),
    },
    {
      label: 'Meter',
      value: document.time_signature === null ? '–' : `${document.time_signature}/4`,
      note: '',
    },
    {
      label: 'Loudness',
      value: document.loudness_lufs === null ? '–' : `${document.loudness_lufs.toFixed(1)} LUFS`,
      note: '',
    },
    {
      label: 'True peak',
      value: document.true_peak_dbtp === null ? '–' : `${document.true_peak_dbtp.toFixed(1)} dBTP`,
      note: '',
    },
    ...kindOf(document),
    ...voiceOf(document),
    { label: 'Length', value: formatClock(document.duration_seconds), note: '' },
  ];
}

/** The genre, where one stands out. */
function kindOf({ tags }: ResultDocument): { label: string; value: string; note: string }[] {
  const first = tags?.genres[0];
  return first === undefined
    ? []
    : [{ label: 'Genre', value: first.label, note: `${Math.round(first.confidence * 100)} % sure` }];
}

/** How much of it is sung, rapped or spoken, where somebody listened. */
function voiceOf({ content }: ResultDocument): { label: string; value: string; note: string }[] {
  const share = content?.voice_presence ?? null;
  if (share === null) return [];
  return [
    { label: 'Voice', value: share === 0 ? 'none' : `${Math.round(share * 100)} % of the time`, note: '' },
  ];
}
