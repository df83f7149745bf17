import { formatSongCount } from '../format.ts';

/** Songs stay selected when a new search no longer lists them. */
export function countHidden(selected: ReadonlySet<string>, rows: readonly { id: string }[]): number {
  const shownCount = rows.filter(({ id }) => selected.has(id)).length;
  return selected.size - shownCount;
}

export function selectionText(count: number, hiddenCount: number): string {
  const songs = formatSongCount(count);
  return hiddenCount === 0 ? songs : `${songs}, ${hiddenCount.toLocaleString()} not shown`;
}

/** For the confirmation of a deletion: selected songs that are not listed would be deleted unseen. */
export function hiddenWarning(count: number, hiddenCount: number): string {
  if (hiddenCount === 0) return '';
  if (hiddenCount === count)
    return count === 1 ? 'It is not shown in the list. ' : 'None of them is shown in the list. ';
  const are = hiddenCount === 1 ? '1 of them is' : `${hiddenCount.toLocaleString()} of them are`;
  return `${are} not shown in the list. `;
}
