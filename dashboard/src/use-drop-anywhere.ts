import { useEffect, useRef } from 'react';

/** Files dropped anywhere on the page; `setOver` is told while they hover. */
export function useDropAnywhere(
  setOver: (over: boolean) => void,
  onFiles: (files: Iterable<File>) => void,
): void {
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
