import type { FormEvent } from 'react';
import { earshot } from '../api.ts';
import { formatMoment } from '../format.ts';
import { keyChoices, type Result } from '../result.ts';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import type { Playhead } from './analysis-view.tsx';
import { LoadedView } from './loaded-view.tsx';
import { Problem } from './problem.tsx';

type Props = { jobId: string; result: Result; playhead: Playhead };

/** Where a person says what is true. It is kept beside the estimate, which stays as it is. */
export function CorrectionCard({ jobId, result, playhead }: Props) {
  const params = { job_id: jobId };
  const [correction, reload] = useLoad(() => earshot.request('getCorrections', { params }), jobId);
  const { busy, problem, run } = useAction();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim() || null;
    const number = (name: string) => (text(name) === null ? null : Number(text(name)));
    const body = {
      tempo: number('bpm'),
      key: text('key'),
      first_downbeat_seconds: number('first_downbeat_seconds'),
      note: text('note'),
    };
    void run(() => earshot.request('replaceCorrections', { params, body })).then(reload);
  };
  const estimate = [
    result.bpm === null ? 'no tempo' : `${result.bpm.toFixed(2)} BPM`,
    result.key === null ? 'no key' : `${result.key} ${result.scale}`,
    downbeatOf(result),
  ];
  return (
    <section className="card">
      <h2>Is it right?</h2>
      <p className="soft">We heard {estimate.join(', ')}. What you say here is kept beside it.</p>
      <LoadedView loaded={correction} reload={reload}>
        {(said) => (
          // Anew for every answer, so that the fields show what is kept.
          <form key={said.updated_at ?? 'none'} onSubmit={save}>
            <div className="row">
              <label>
                True tempo in BPM
                <input name="bpm" type="number" min={20} max={400} step="any" defaultValue={said.bpm ?? ''} />
              </label>
              <label>
                True key
                <select name="key" defaultValue={said.key ?? ''}>
                  <option value="">as heard</option>
                  {keyChoices(said.key).map((key) => (
                    <option key={key}>{key}</option>
                  ))}
                </select>
              </label>
              <DownbeatField seconds={said.first_downbeat_seconds} playhead={playhead} />
              <label className="grow">
                Note
                <input name="note" maxLength={500} defaultValue={said.note ?? ''} />
              </label>
              <button type="submit" className="main" disabled={busy}>
                Keep the correction
              </button>
            </div>
            {said.updated_at && (
              <p className="soft" role="status">
                Corrected {formatMoment(said.updated_at)}:{' '}
                {[said.bpm && `${said.bpm} BPM`, said.key, downbeatWords(said.first_downbeat_seconds)]
                  .filter(Boolean)
                  .join(', ') || said.note}
                .
              </p>
            )}
          </form>
        )}
      </LoadedView>
      <Problem text={problem} />
    </section>
  );
}

function DownbeatField({ seconds, playhead }: { seconds: number | null; playhead: Playhead }) {
  const takePlayhead = (button: HTMLButtonElement) => {
    const field = button.form?.elements.namedItem('first_downbeat_seconds');
    if (field instanceof HTMLInputElement) field.value = playhead.seconds().toFixed(2);
  };
  return (
    <span className="row">
      <label>
        First downbeat in seconds
        <input
          name="first_downbeat_seconds"
          type="number"
          min={0}
          max={86_400}
          step="any"
          defaultValue={seconds ?? ''}
        />
      </label>
      <button type="button" onClick={(event) => takePlayhead(event.currentTarget)}>
        Take the playhead
      </button>
    </span>
  );
}

function downbeatOf(result: Result): string {
  const first = result.rhythm?.downbeats[0];
  return first === undefined ? 'no downbeat' : `the first bar at ${first.time_seconds.toFixed(2)} s`;
}

function downbeatWords(seconds: number | null): string | null {
  return seconds === null ? null : `first bar at ${seconds.toFixed(2)} s`;
}
