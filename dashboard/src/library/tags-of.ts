/** Tags as people type them, with commas between. */
export function tagsOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}
