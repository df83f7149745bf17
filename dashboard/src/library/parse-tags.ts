/** Tags as typed into a form, separated by commas. */
export function parseTags(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}
