const CHARACTERS_MAX = 255;

/** A name a person gave: kept as data and shown as data, never used as a path. Null when nothing is left of it. */
export function cleanFileName(name: string | undefined): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const cleaned = (name ?? '').replace(/[\u0000-\u001f\u007f\ufffd]/g, '').trim();
  return cleaned === '' ? null : cleaned.slice(0, CHARACTERS_MAX);
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
