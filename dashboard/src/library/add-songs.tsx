import { Upload } from 'lucide-react';
import { useState } from 'react';
import { onFormSubmit } from '../on-form-submit.ts';
import { FilePicker } from '../ui/file-picker.tsx';
import { useUploads } from '../uploads/upload-tray.tsx';

export function AddSongs() {
  const uploads = useUploads();
  const [urlOpen, setUrlOpen] = useState(false);
  const addUrl = onFormSubmit((values) => {
    uploads.addUrl(String(values.get('url')));
    setUrlOpen(false);
  });
  return (
    <div className="row">
      {urlOpen ? (
        <form className="row" onSubmit={addUrl}>
          <input name="url" type="url" required aria-label="URL of a song" placeholder="https://…" />
          <button type="submit" className="main">
            Analyse
          </button>
        </form>
      ) : (
        <button type="button" className="beyond-phone" onClick={() => setUrlOpen(true)}>
          From a URL
        </button>
      )}
      <FilePicker onFiles={(files) => uploads.addFiles(files)} multiple>
        <Upload size={15} /> Add songs
      </FilePicker>
    </div>
  );
}
