import { truncateText } from '../platform/truncate-text.ts';

/** As long as a name may be in most file systems. */
const CHARACTERS_MAX = 255;

/** A name a person gave: kept as data and shown as data, never used as a path. Null when nothing is left of it. */
export function cleanFileName(name: string | undefined): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const cleaned = (name ?? '').replace(/[\u0000-\u001f\u007f\ufffd]/g, '').trim();
  return truncateText(cleaned, CHARACTERS_MAX) || null;
}

/** As a form names it: browsers and curl escape a quote and the ends of a line (HTML, multipart/form-data), and nothing else. */
export function fileNameOfForm(name: string | undefined): string | null {
  return cleanFileName(name?.replaceAll('%22', '"').replace(/%0[ad]/gi, ''));
}

/** The name without `.mp3` and the like. Null when nothing is left of it. */
export function withoutEnding(fileName: string | null): string | null {
  return fileName?.replace(/\.[A-Za-z0-9]{1,5}$/, '') || null;
}

/** The last part of the address's path, as the name of what it leads to. */
export function fileNameOfUrl(url: string): string | null {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return cleanFileName(decodeURIComponent(last));
  } catch {
    return cleanFileName(last);
  }
}
