/**
 * The dropped files and the songs in dropped folders; unreadable entries are skipped. `files` is what DataTransfer lists, without the
 * contents of folders: returned as it is when no folder was dropped.
 */
export async function readDroppedFiles(entries: (FileSystemEntry | null)[], files: File[]): Promise<File[]> {
  if (!entries.some((entry) => entry?.isDirectory)) return files;
  return readAll(entries.filter((entry) => entry !== null));
}

/** Covers, playlists, logs and hidden files, which lie in folders of songs but are not meant to be uploaded. */
export function isCompanionFile(name: string): boolean {
  return /^\.|\.(jpe?g|png|gif|webp|bmp|tiff?|pdf|txt|rtf|nfo|log|cue|m3u8?|pls|sfv|md5|ini|db|url|html?|xml|json|asd)$/i.test(
    name,
  );
}

async function readAll(entries: FileSystemEntry[]): Promise<File[]> {
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
    // Browsers return the entries in batches, and an empty one at the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) break;
    children.push(...batch);
  }
  return readAll(children);
}
