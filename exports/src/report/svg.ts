import { escapeXml } from '../xml.ts';
import type { Plot, Shape } from './drawing.ts';

export function plotToSvg(plot: Plot): string {
  const shapes = plot.shapes.map(shapeToSvg).join('');
  return `<svg viewBox="0 0 ${plot.width} ${plot.height}" role="img" aria-label="${escapeXml(`${plot.title}: ${plot.description}`)}" xmlns="http://www.w3.org/2000/svg">${shapes}</svg>`;
}

function shapeToSvg(shape: Shape): string {
  switch (shape.kind) {
    case 'rect': {
      const title = shape.title ? `<title>${escapeXml(shape.title)}</title>` : '';
      const opacity = shape.opacity === undefined ? '' : ` fill-opacity="${shape.opacity}"`;
      return `<rect x="${n(shape.x)}" y="${n(shape.y)}" width="${n(shape.width)}" height="${n(shape.height)}" fill="${shape.fill}"${opacity}>${title}</rect>`;
    }
    case 'line':
      return `<line x1="${n(shape.from[0])}" y1="${n(shape.from[1])}" x2="${n(shape.to[0])}" y2="${n(shape.to[1])}" stroke="${shape.stroke}" stroke-width="${shape.width}"${shape.dashed ? ' stroke-dasharray="3 3"' : ''}/>`;
    case 'polyline':
      return `<polyline points="${pointsToText(shape.points)}" fill="none" stroke="${shape.stroke}" stroke-width="${shape.width}" stroke-linejoin="round"/>`;
    case 'text':
      return `<text x="${n(shape.x)}" y="${n(shape.y)}" font-size="${shape.size}" fill="${shape.fill}" text-anchor="${shape.anchor ?? 'start'}">${escapeXml(shape.text)}</text>`;
    case 'image':
      return `<image x="${n(shape.x)}" y="${n(shape.y)}" width="${n(shape.width)}" height="${n(shape.height)}" preserveAspectRatio="none" href="data:image/png;base64,${Buffer.from(shape.png).toString('base64')}"><title>${escapeXml(shape.alt)}</title></image>`;
  }
}

function pointsToText(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y]) => `${n(x)},${n(y)}`).join(' ');
}

/** Rounds to hundredths of a unit, which is finer than any screen and keeps the page small. */
function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
