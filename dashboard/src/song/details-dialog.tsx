import type { RequestInput } from '@earshot/sdk';
import type { FormEvent } from 'react';
import { earshot } from '../api.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { useAction } from '../use-action.ts';
import type { Job } from './song-page.tsx';

type Description = NonNullable<RequestInput<'describeAnalysis'>['body']>;

const FIELDS = [
  ['title', 'Title', 300],
  ['artist', 'Artist', 300],
  ['album', 'Album', 300],
  ['tags', 'Tags, with commas between', 2_700],
  ['note', 'Note', 2_000],
] as const;
type FieldName = (typeof FIELDS)[number][0];

/** What a person says of a song. A field that is emptied gives back what the file says. */
export function DetailsDialog(props: { job: Job; onClose: () => void; onSaved: () => void }) {
  const { job, onClose, onSaved } = props;
  const { busy, problem, run } = useAction();
  const shown = shownOf(job);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const body: Description = {};
    for (const [name] of FIELDS) {
      const text = String(form.get(name)).trim();
      if (text !== shown[name])
        Object.assign(body, { [name]: name === 'tags' ? tagsOf(text) : text || null });
    }
    const save = () => earshot.request('describeAnalysis', { params: { job_id: job.id }, body });
    if (!(await run(save))) return;
    onClose();
    onSaved();
  };
  return (
    <Dialog title="Details" onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        {FIELDS.map(([name, words, charactersMax]) => (
          <label key={name}>
            {words}
            <input name={name} defaultValue={shown[name]} maxLength={charactersMax} />
          </label>
        ))}
        <p className="soft small">What you empty becomes again what the file says.</p>
        <Problem text={problem} />
        <div className="row">
          <button type="submit" className="main" disabled={busy}>
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function shownOf({ headline }: Job): Record<FieldName, string> {
  return {
    title: headline?.title ?? '',
    artist: headline?.artist ?? '',
    album: headline?.album ?? '',
    tags: headline?.tags.join(', ') ?? '',
    note: headline?.note ?? '',
  };
}

function tagsOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}
