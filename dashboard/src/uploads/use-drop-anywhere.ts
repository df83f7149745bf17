import { useEffect, useRef } from 'react';

/** Files and folders dropped anywhere on the page; `setOver` is told while they hover. */
export function useDropAnywhere(setOver: (over: boolean) => void, onFiles: (files: File[]) => void): void {
  const handler = useRef(onFiles);
  handler.current = onFiles;
  useEffect(() => {
    const stop = new AbortController();
    const listen = (type: 'dragover' | 'dragleave' | 'drop', work: (event: DragEvent) => void) =>
      window.addEventListener(type, work, { signal: stop.signal });
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    });
    listen('dragleave', (event) => event.relatedTarget === null && setOver(false));
    listen('drop', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(false);
      // Entries must be taken before the handler returns; the browser empties the list afterwards.
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
      const files = [...event.dataTransfer.files];
      void readEntries(entries, files).then((found) => handler.current(found));
    });
    return () => stop.abort();
  }, [setOver]);
}

/** All that was dropped, folders with what is in them. What cannot be read, gone meanwhile or forbidden, keeps no other back. */
export async function readEntries(entries: (FileSystemEntry | null)[], files: File[]): Promise<File[]> {
  if (!entries.some((entry) => entry?.isDirectory)) return files;
  return readEach(entries.filter((entry) => entry !== null));
}

/** Covers, lists and logs, and what programs leave behind: whoever drops a folder does not mean them. */
export function isCompanionFile(name: string): boolean {
  return /^\.|\.(jpe?g|png|gif|webp|bmp|tiff?|pdf|txt|rtf|nfo|log|cue|m3u8?|pls|sfv|md5|ini|db|url|html?|xml|json|asd)$/i.test(
    name,
  );
}

async function readEach(entries: FileSystemEntry[]): Promise<File[]> {
  const found = await Promise.all(entries.map((entry) => readEntry(entry).catch(() => [])));
  return found.flat();
}

async function readEntry(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return isCompanionFile(file.name) ? [] : [file];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    // A reader gives a hundred at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) break;
    children.push(...some);
  }
  return readEach(children);
}
