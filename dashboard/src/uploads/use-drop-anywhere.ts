import { useEffect, useRef } from 'react';
import { readDroppedFiles } from './dropped-files.ts';

/** Accepts files and folders dropped anywhere on the page; calls `setDragging` while they are dragged over it. */
export function useDropAnywhere(
  setDragging: (dragging: boolean) => void,
  onFiles: (files: File[]) => void,
): void {
  const handler = useRef(onFiles);
  handler.current = onFiles;
  useEffect(() => {
    const stop = new AbortController();
    const listen = (type: 'dragover' | 'dragleave' | 'drop', work: (event: DragEvent) => void) =>
      window.addEventListener(type, work, { signal: stop.signal });
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragging(true);
    });
    listen('dragleave', (event) => event.relatedTarget === null && setDragging(false));
    listen('drop', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDragging(false);
      // Read before the handler returns, since the browser empties the list afterwards.
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry());
      const files = [...event.dataTransfer.files];
      void readDroppedFiles(entries, files).then((found) => handler.current(found));
    });
    return () => stop.abort();
  }, [setDragging]);
}
