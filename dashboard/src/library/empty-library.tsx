import { Link } from 'wouter';
import { useHasRole } from '../session.tsx';
import { FilePicker } from '../ui/file-picker.tsx';
import { useToast } from '../ui/toasts.tsx';
import { useUploads } from '../uploads/upload-tray.tsx';

export function EmptyLibrary({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const uploads = useUploads();
  const showToast = useToast();
  const mayAdd = useHasRole('member');
  if (filtered) {
    return (
      <div className="page-state">
        <p>No song matches this search.</p>
        <button type="button" onClick={onClear}>
          Show all songs
        </button>
      </div>
    );
  }
  if (!mayAdd) return <p className="page-state">This library is empty.</p>;
  return (
    <div className="page-state empty-library">
      <h2>Your library is empty</h2>
      <p>
        Drop songs or a folder anywhere on this page. You get tempo, beats, key, chords, sections and loudness
        of each. The audio is kept so that you can play it here, unless{' '}
        <Link href="/profile">your workspace</Link> says otherwise. Deleting a song deletes its audio too.
      </p>
      <div className="row">
        <FilePicker onFiles={(files) => uploads.addFiles(files)} multiple>
          Choose files
        </FilePicker>
        <button
          type="button"
          onClick={() =>
            void fetchSamples().then(
              (files) => uploads.addFiles(files),
              (error: Error) => showToast(error.message),
            )
          }
        >
          Try three sample songs
        </button>
      </div>
    </div>
  );
}

/** Copied into dist/sample by dashboard/build.mjs. */
const SAMPLES = ['two-doors-down.mp3', 'night-bus.mp3', 'three-lamps.mp3'];

function fetchSamples(): Promise<File[]> {
  return Promise.all(
    SAMPLES.map(async (name) => {
      const response = await fetch(`/sample/${name}`);
      if (!response.ok) throw new Error('The sample songs could not be loaded.');
      return new File([await response.blob()], name, { type: 'audio/mpeg' });
    }),
  );
}
