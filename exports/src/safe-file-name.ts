/** File systems allow 255 bytes, and callers put a number before the name and an ending after it. */
const BYTES_MAX = 200;

/** A text as a file name: without the characters that Windows refuses, and cut after a whole character. */
export function safeFileName(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows refuses them in names
  const safe = text.replaceAll(/[\u0000-\u001f<>:"/\\|?*]/g, '_');
  const { read } = new TextEncoder().encodeInto(safe, new Uint8Array(BYTES_MAX));
  return safe.slice(0, read);
}
