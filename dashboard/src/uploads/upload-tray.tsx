import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { isUnfinished, isUnsent, type Upload, UploadQueue } from './upload-queue.ts';
import { useDropAnywhere } from './use-drop-anywhere.ts';

const QueueContext = createContext<UploadQueue | null>(null);

/** Accepts songs dropped on any page, and warns before a reload that would lose some. */
export function UploadProvider({ children }: { children: ReactNode }) {
  const [queue] = useState(() => new UploadQueue());
  const [isDragging, setDragging] = useState(false);
  useDropAnywhere(setDragging, (files) => queue.addFiles(files));
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => queue.wouldLoseFiles && event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [queue]);
  return (
    <QueueContext value={queue}>
      {children}
      <Tray queue={queue} />
      {isDragging && <div className="drop-veil">Drop songs or a folder to analyse them</div>}
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
  const unfinishedCount = uploads.filter(isUnfinished).length;
  return (
    <section className="tray" aria-label="Uploads">
      <header>
        <span aria-live="polite">
          {unfinishedCount > 0 ? `${unfinishedCount} of ${uploads.length} on the way` : summary(uploads)}
        </span>
        <span className="row">
          <button
            type="button"
            className="icon quiet"
            aria-label={open ? 'Collapse the uploads' : 'Show the uploads'}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? <ChevronDown size={16} /> : <ChevronUp size={16} />}
          </button>
          {unfinishedCount === 0 && (
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
  const doneCount = uploads.filter(({ state }) => state === 'done').length;
  const refusedCount = uploads.filter(({ state }) => state === 'refused').length;
  const duplicateCount = uploads.filter(({ state }) => state === 'duplicate').length;
  return [
    doneCount > 0 && `${doneCount} done`,
    duplicateCount > 0 && `${duplicateCount} already there`,
    refusedCount > 0 && `${refusedCount} refused`,
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
