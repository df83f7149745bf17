import type { RequestInput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { parseTags } from '../library/parse-tags.ts';
import { NOTE_CHARACTERS_MAX, TAGS_CHARACTERS_MAX, TITLE_CHARACTERS_MAX } from '../service-limits.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import type { Job } from './song-requests.ts';

type Description = NonNullable<RequestInput<'describeAnalysis'>['body']>;

const FIELDS = [
  ['title', 'Title', TITLE_CHARACTERS_MAX],
  ['artist', 'Artist', TITLE_CHARACTERS_MAX],
  ['album', 'Album', TITLE_CHARACTERS_MAX],
  ['tags', 'Tags, with commas between', TAGS_CHARACTERS_MAX],
  ['note', 'Note', NOTE_CHARACTERS_MAX],
] as const;
type FieldName = (typeof FIELDS)[number][0];

/** Edits the title, artist, album, tags and note of a song; an emptied field returns to the file's own metadata. */
export function DetailsDialog(props: { job: Job; onClose: () => void; onSaved: () => void }) {
  const { job, onClose, onSaved } = props;
  const shown = shownOf(job);
  const save = async (form: FormData) => {
    const body: Description = {};
    for (const [name] of FIELDS) {
      const text = String(form.get(name)).trim();
      if (text !== shown[name])
        Object.assign(body, { [name]: name === 'tags' ? parseTags(text) : text || null });
    }
    await earshot.request('describeAnalysis', { params: { job_id: job.id }, body });
    onSaved();
  };
  return (
    <FormDialog title="Details" submitLabel="Save" onSave={save} onClose={onClose}>
      {FIELDS.map(([name, label, charactersMax]) => (
        <label key={name}>
          {label}
          <input name={name} defaultValue={shown[name]} maxLength={charactersMax} />
        </label>
      ))}
      <p className="soft small">An empty field shows what the file says.</p>
    </FormDialog>
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
