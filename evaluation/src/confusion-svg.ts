/** The genre confusion matrix of docs/accuracy.md. */

import type { ScoreFile } from './score-file.ts';

/** Room for two digits. */
const CELL_PX = 40;
/** Room for the longest genre. */
const LEFT_PX = 80;
const TOP_PX = 70;
const NONE = 'none';

/** Rows are true genres. Columns are the genre named first, "other" for one that the corpus does not have, and "none". */
export function drawConfusion({ answers }: Pick<ScoreFile, 'answers'>): string {
  const pairs = Object.values(answers).flatMap(({ genre }) => (genre?.truth ? [genre] : []));
  const genres = [...new Set(pairs.map(({ truth }) => truth!))].sort();
  const columns = [...genres, 'other', NONE];
  const toColumn = (named: string | null): string =>
    named === null ? NONE : genres.includes(named) ? named : 'other';
  const cells = genres.flatMap((row, y) => {
    const clips = pairs.filter(({ truth }) => truth === row);
    return columns.map((column, x) => {
      const count = clips.filter(({ genre }) => toColumn(genre) === column).length;
      const share = count / clips.length;
      const [leftPx, topPx] = [LEFT_PX + x * CELL_PX, TOP_PX + y * CELL_PX];
      const colour = row === column ? '#2b8a3e' : '#e8590c';
      return `<rect x="${leftPx}" y="${topPx}" width="${CELL_PX}" height="${CELL_PX}" fill="${colour}" fill-opacity="${share.toFixed(2)}" stroke="#ddd"/>${
        count > 0
          ? `<text x="${leftPx + CELL_PX / 2}" y="${topPx + CELL_PX / 2 + 4}" text-anchor="middle">${count}</text>`
          : ''
      }`;
    });
  });
  const rows = genres.map(
    (genre, y) =>
      `<text x="${LEFT_PX - 6}" y="${TOP_PX + y * CELL_PX + CELL_PX / 2 + 4}" text-anchor="end">${genre}</text>`,
  );
  const heads = columns.map((column, x) => {
    const [leftPx, topPx] = [LEFT_PX + x * CELL_PX + CELL_PX / 2, TOP_PX - 6];
    return `<text transform="translate(${leftPx} ${topPx}) rotate(-45)">${column}</text>`;
  });
  const [widthPx, heightPx] = [
    LEFT_PX + columns.length * CELL_PX + 40,
    TOP_PX + genres.length * CELL_PX + 10,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${heightPx}" width="${widthPx}" height="${heightPx}" font-family="sans-serif" font-size="12" fill="#333">
<rect width="${widthPx}" height="${heightPx}" fill="#fff"/>
${[...cells, ...rows, ...heads].join('\n')}
</svg>
`;
}
