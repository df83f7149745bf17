import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { submitUrl, type Upload, uploadAndAnalyse } from '../uploads.ts';
import { useDropAnywhere } from '../use-drop-anywhere.ts';
import { FilePicker } from './file-picker.tsx';

/** How many files travel at once; the rest wait their turn. */
const PARALLEL_UPLOADS = 3;

export function DropZone({ onFinished }: { onFinished: () => void }) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [over, setOver] = useState(false);
  const nextId = useRef(0);

  const report = (upload: Upload) => {
    setUploads((list) => list.map((other) => (other.id === upload.id ? upload : other)));
    if (upload.stage === 'Done' || upload.problem) onFinished();
  };
  const add = (name: string): Upload => {
    const upload = { id: nextId.current++, name, fraction: 0, stage: 'Waiting', jobId: null, problem: null };
    setUploads((list) => [upload, ...list]);
    return upload;
  };
  const addFiles = (files: Iterable<File>) => {
    const waiting = [...files].map((file) => ({ file, upload: add(file.name) }));
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await uploadAndAnalyse(next.upload, next.file, report);
      }
    };
    for (let lane = 0; lane < PARALLEL_UPLOADS; lane++) void work();
  };
  const addUrl = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get('url'));
    event.currentTarget.reset();
    void submitUrl(add(url), url, report);
  };
  useDropAnywhere(setOver, addFiles);

  return (
    <section className="card" aria-label="New analysis">
      <div className="drop" data-over={over}>
        <p>Drop songs anywhere on this page, or</p>
        <FilePicker onFiles={addFiles} multiple />
        <form className="row centre" onSubmit={addUrl}>
          <label>
            <span className="visually-hidden">Address of a song</span>
            <input name="url" type="url" required placeholder="https://… address of a song" size={34} />
          </label>
          <button type="submit">Analyse</button>
        </form>
      </div>
      <ul className="plain" aria-live="polite">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload }: { upload: Upload }) {
  return (
    <li className="upload">
      <span className="spread">
        <span>
          {upload.jobId ? <Link href={`/analyses/${upload.jobId}`}>{upload.name}</Link> : upload.name}
        </span>
        <span className="soft">{upload.problem ?? upload.stage}</span>
      </span>
      {upload.problem ? (
        <span className="error" role="alert">
          {upload.problem}
        </span>
      ) : (
        <progress max={1} value={upload.fraction} aria-label={`${upload.name}: ${upload.stage}`} />
      )}
    </li>
  );
}
