/** The first `codeUnitsMax` UTF-16 code units of a text, or one fewer where that would split a surrogate pair. */
export function truncateText(text: string, codeUnitsMax: number): string {
  return text.slice(0, codeUnitsMax).replace(/[\ud800-\udbff]$/, '');
}
