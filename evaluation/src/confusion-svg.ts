import type { ScoreFile } from './score-file.ts';

const CELL = 40;
const LEFT = 80;
const TOP = 70;
const NONE = 'none';

/** Rows: what a clip is. Columns: the genre named first, with those outside the corpus's own as "other" and clips without a genre as "none". */
export function drawConfusion({ answers }: Pick<ScoreFile, 'answers'>): string {
  const pairs = Object.values(answers).flatMap(({ genre }) => (genre?.truth ? [genre] : []));
  const genres = [...new Set(pairs.map(({ truth }) => truth!))].sort();
  const columns = [...genres, 'other', NONE];
  const toColumn = (named: string | null): string =>
    named === null ? NONE : genres.includes(named) ? named : 'other';
  const cells = genres.flatMap((row, y) => {
    const those = pairs.filter(({ truth }) => truth === row);
    return columns.map((column, x) => {
      const count = those.filter(({ genre }) => toColumn(genre) === column).length;
      const share = those.length === 0 ? 0 : count / those.length;
      const [left, top] = [LEFT + x * CELL, TOP + y * CELL];
      const colour = row === column ? '#2b8a3e' : '#e8590c';
      return `<rect x="${left}" y="${top}" width="${CELL}" height="${CELL}" fill="${colour}" fill-opacity="${share.toFixed(2)}" stroke="#ddd"/>${
        count > 0
          ? `<text x="${left + CELL / 2}" y="${top + CELL / 2 + 4}" text-anchor="middle">${count}</text>`
          : ''
      }`;
    });
  });
  const rows = genres.map(
    (genre, y) =>
      `<text x="${LEFT - 6}" y="${TOP + y * CELL + CELL / 2 + 4}" text-anchor="end">${genre}</text>`,
  );
  const heads = columns.map((column, x) => {
    const [left, top] = [LEFT + x * CELL + CELL / 2, TOP - 6];
    return `<text transform="translate(${left} ${top}) rotate(-45)">${column}</text>`;
  });
  const [width, height] = [LEFT + columns.length * CELL + 40, TOP + genres.length * CELL + 10];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12" fill="#333">
<rect width="${width}" height="${height}" fill="#fff"/>
${[...cells, ...rows, ...heads].join('\n')}
</svg>
`;
}
