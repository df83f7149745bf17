import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { isUnsent, type Upload, UploadQueue } from './upload-queue.ts';
import { useDropAnywhere } from './use-drop-anywhere.ts';

const QueueContext = createContext<UploadQueue | null>(null);

/** Takes songs dropped anywhere, on every page, and asks before a reload would lose some. */
export function UploadProvider({ children }: { children: ReactNode }) {
  const [queue] = useState(() => new UploadQueue());
  const [over, setOver] = useState(false);
  useDropAnywhere(setOver, (files) => queue.addFiles(files));
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => queue.wouldLoseFiles && event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [queue]);
  return (
    <QueueContext value={queue}>
      {children}
      <Tray queue={queue} />
      {over && <div className="drop-veil">Drop songs or a folder to analyse them</div>}
    </QueueContext>
  );
}

export function useUploads(): UploadQueue {
  const queue = useContext(QueueContext);
  if (!queue) throw new Error('useUploads outside of UploadProvider');
  return queue;
}

function Tray({ queue }: { queue: UploadQueue }) {
  const uploads = useSyncExternalStore(queue.subscribe, queue.read);
  const [open, setOpen] = useState(true);
  if (uploads.length === 0) return null;
  const left = uploads.filter(({ state }) => /waiting|sending|analysing/.test(state)).length;
  return (
    <section className="tray" aria-label="Uploads">
      <header>
        <span aria-live="polite">
          {left > 0 ? `${left} of ${uploads.length} on the way` : summary(uploads)}
        </span>
        <span className="row">
          <button
            type="button"
            className="icon quiet"
            aria-label={open ? 'Fold the uploads' : 'Show the uploads'}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? <ChevronDown size={16} /> : <ChevronUp size={16} />}
          </button>
          {left === 0 && (
            <button
              type="button"
              className="icon quiet"
              aria-label="Close the uploads"
              onClick={() => queue.clearFinished()}
            >
              <X size={16} />
            </button>
          )}
        </span>
      </header>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the list.
        <ul className="plain" tabIndex={0} aria-label="Files">
          {uploads.map((upload) => (
            <Row
              key={upload.id}
              upload={upload}
              onSendAgain={(allowDuplicate) => queue.sendAgain(upload.id, { allowDuplicate })}
              onCancel={() => queue.cancel(upload.id)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function summary(uploads: readonly Upload[]): string {
  const done = uploads.filter(({ state }) => state === 'done').length;
  const refused = uploads.filter(({ state }) => state === 'refused').length;
  const known = uploads.filter(({ state }) => state === 'duplicate').length;
  return [
    done > 0 && `${done} done`,
    known > 0 && `${known} already there`,
    refused > 0 && `${refused} refused`,
  ]
    .filter(Boolean)
    .join(', ');
}

function Row(props: {
  upload: Upload;
  onSendAgain: (allowDuplicate: boolean) => void;
  onCancel: () => void;
}) {
  const { upload, onSendAgain, onCancel } = props;
  const { name, jobId, stage, state, fraction, problem, canRetry, isQuotaExceeded } = upload;
  return (
    <li>
      <span dir="auto">{jobId ? <Link href={`/analyses/${jobId}`}>{name}</Link> : name}</span>
      <span className="row">
        <span className="soft small">{problem ? 'Refused' : stage}</span>
        {isUnsent(upload) && (
          <button type="button" className="icon quiet" aria-label={`Cancel ${name}`} onClick={onCancel}>
            <X size={14} />
          </button>
        )}
      </span>
      {problem && <span className="problem">{problem}</span>}
      {(state === 'duplicate' || canRetry) && (
        <span className="row">
          <button type="button" className="small" onClick={() => onSendAgain(state === 'duplicate')}>
            {canRetry ? 'Try again' : 'Analyse again'}
          </button>
          {isQuotaExceeded && <Link href="/billing">Usage and billing</Link>}
        </span>
      )}
      {/sending|analysing/.test(state) && (
        <progress max={1} value={fraction} aria-label={`${name}: ${stage}`} />
      )}
    </li>
  );
}
