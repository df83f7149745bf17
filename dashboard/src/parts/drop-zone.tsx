import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { submitUrl, type Upload, uploadAndAnalyse } from '../uploads.ts';

/** How many files travel at once; the rest wait their turn. */
const PARALLEL_UPLOADS = 3;

export function DropZone({ onFinished }: { onFinished: () => void }) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [over, setOver] = useState(false);
  const nextId = useRef(0);
  const picker = useRef<HTMLInputElement>(null);

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
        <p>
          Drop songs anywhere on this page, or{' '}
          <button type="button" className="main" onClick={() => picker.current?.click()}>
            choose files
          </button>
        </p>
        <input
          ref={picker}
          className="visually-hidden"
          type="file"
          accept="audio/*,video/mp4,video/webm"
          multiple
          aria-label="Audio files"
          tabIndex={-1}
          onChange={(event) => {
            addFiles(event.currentTarget.files ?? []);
            event.currentTarget.value = '';
          }}
        />
        <form className="row" style={{ justifyContent: 'center' }} onSubmit={addUrl}>
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

function useDropAnywhere(setOver: (over: boolean) => void, onFiles: (files: Iterable<File>) => void): void {
  const handler = useRef(onFiles);
  handler.current = onFiles;
  useEffect(() => {
    const stop = new AbortController();
    const listen = (type: 'dragover' | 'dragleave' | 'drop', work: (event: DragEvent) => void) =>
      window.addEventListener(type, work, { signal: stop.signal });
    listen('dragover', (event) => {
      event.preventDefault();
      setOver(true);
    });
    listen('dragleave', (event) => event.relatedTarget === null && setOver(false));
    listen('drop', (event) => {
      event.preventDefault();
      setOver(false);
      handler.current(event.dataTransfer?.files ?? []);
    });
    return () => stop.abort();
  }, [setOver]);
}
