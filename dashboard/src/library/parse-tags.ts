/** Tags as people type them, with commas between. */
export function parseTags(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}
