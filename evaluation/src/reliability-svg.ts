/** The reliability diagrams of docs/accuracy.md. */

import type { ConfidenceKind } from './confidences.ts';
import type { ScoreFile } from './score-file.ts';

const SIZE_PX = 180;
const PADDING_PX = 30;
const DOT_MIN_PX = 3;
const DOT_SPREAD_PX = 9;
const COLOURS: Record<ConfidenceKind, string> = {
  tempo: '#2563eb',
  key: '#e8590c',
  beats: '#2b8a3e',
  downbeats: '#9c36b5',
  genre: '#0b7285',
};

/** One square per kind of answer: x is the confidence, y the share of correct answers; larger dots stand for more answers. */
export function drawReliability(file: ScoreFile): string {
  const panels = Object.entries(file.calibration);
  const widthPx = panels.length * (SIZE_PX + PADDING_PX) + PADDING_PX;
  const heightPx = SIZE_PX + 2 * PADDING_PX;
  const drawn = panels.map(([kind, { curve, answers }], index) => {
    const x = (value: number) => PADDING_PX + index * (SIZE_PX + PADDING_PX) + value * SIZE_PX;
    const y = (value: number) => PADDING_PX + (1 - value) * SIZE_PX;
    const dots = curve.map((bin) => {
      const radiusPx = DOT_MIN_PX + DOT_SPREAD_PX * Math.sqrt(bin.count / answers);
      return `<circle cx="${x(bin.meanConfidence).toFixed(1)}" cy="${y(bin.accuracy).toFixed(1)}" r="${radiusPx.toFixed(1)}" fill="${COLOURS[kind as ConfidenceKind]}" fill-opacity=".7"/>`;
    });
    return `<rect x="${x(0)}" y="${y(1)}" width="${SIZE_PX}" height="${SIZE_PX}" fill="none" stroke="#999"/>
<line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="#999" stroke-dasharray="4 4"/>
<text x="${x(0.5)}" y="${y(1) - 8}" text-anchor="middle">${kind}, n=${answers}</text>
<text x="${x(0)}" y="${y(0) + 14}">0</text><text x="${x(1)}" y="${y(0) + 14}" text-anchor="end">confidence 1</text>${dots.join('')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${heightPx}" width="${widthPx}" height="${heightPx}" font-family="sans-serif" font-size="11" fill="#555">
<rect width="${widthPx}" height="${heightPx}" fill="#fff"/>
${drawn.join('\n')}
</svg>
`;
}
