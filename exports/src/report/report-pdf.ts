/** The report as a PDF. Lengths are in points. */

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ExportSource, songArtist, songTitle } from '../export-source.ts';
import type { Plot, Shape } from './drawing.ts';
import { headlineOf, type Tile } from './headline.ts';
import { drawPlots } from './plots.ts';
import { describeResult } from './sentences.ts';
import { hasRightToLeft, orderLine } from './text-direction.ts';

/** 14 mm. */
const MARGIN = 40;
const FOOT_GAP = 8;
const INK = '#17171c';
const SOFT = '#5d5d6b';

/** DejaVu covers Latin, Greek, Cyrillic, Hebrew and Arabic; the standard fonts of PDF have only Latin letters. */
const FONT_FOLDER = join(
  dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
  'ttf',
);

export async function writeReportPdf(source: ExportSource): Promise<Uint8Array> {
  // Loaded only when a PDF is written, because its fonts and ciphers take longer to load than the rest of the command line.
  const { default: PDFDocument } = await import('pdfkit');
  const { document } = source;
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    info: {
      Title: `${songTitle(source)} · Earshot report`,
      Producer: 'Earshot',
      // The moment of the analysis, so that the same result gives the same bytes.
      CreationDate: source.completedAt,
    },
  });
  doc.registerFont('text', join(FONT_FOLDER, 'DejaVuSansCondensed.ttf'));
  doc.registerFont('bold', join(FONT_FOLDER, 'DejaVuSansCondensed-Bold.ttf'));
  const finished = collect(doc);
  const width = doc.page.width - 2 * MARGIN;

  doc.font('bold').fontSize(18).fillColor(INK);
  const titles = [songTitle(source), source.fileName ?? '', source.analysisId];
  drawName(doc, titles.map((title) => drawableOf(doc, title)).find((title) => title !== '')!, width);
  doc.font('text').fontSize(10).fillColor(SOFT);
  const artist = drawableOf(doc, songArtist(source) ?? '');
  if (artist !== '') drawName(doc, artist, width);
  doc.moveDown(0.6);
  drawHeadline(doc, source, width);
  doc.font('text').fontSize(9).fillColor(INK);
  for (const sentence of describeResult(document))
    doc.text(sentence, MARGIN, doc.y, { width, paragraphGap: 2 });
  for (const plot of drawPlots(document, source.supplement?.visuals ?? null)) drawPlot(doc, plot, width);
  // The footer is in the bottom margin, where pdfkit would otherwise begin a new page.
  doc.page.margins.bottom = 0;
  doc
    .font('text')
    .fontSize(7)
    .fillColor(SOFT)
    .text(
      `Earshot ${document.provenance.engine_version}, ${document.provenance.analysed_at}; file SHA-256 ${document.file.sha256}`,
      MARGIN,
      doc.page.height - MARGIN + FOOT_GAP,
      { width },
    );
  doc.end();
  return finished;
}

/** The current font, which pdfkit's types do not declare. */
type UsedFont = { _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } } };

/** The text without the characters that the font lacks and would print as empty boxes, such as emoji and Chinese. */
function drawableOf(doc: PDFKit.PDFDocument, text: string): string {
  const { font } = (doc as unknown as UsedFont)._font;
  const hasGlyph = (character: string) => font.hasGlyphForCodePoint(character.codePointAt(0)!);
  // Marks that join or vary an omitted character are omitted with it.
  const kept = [...new Intl.Segmenter().segment(text)].map(({ segment: [...characters] }) =>
    hasGlyph(characters[0]!) ? characters.filter(hasGlyph).join('') : '',
  );
  return kept.join('').replace(/\s+/g, ' ').trim();
}

/** Places right-to-left text itself, because pdfkit writes all words from left to right. */
function drawName(doc: PDFKit.PDFDocument, text: string, width: number): void {
  if (!hasRightToLeft(text)) {
    doc.text(text, MARGIN, doc.y, { width });
    return;
  }
  for (const line of breakLines(doc, text, width)) {
    const y = doc.y;
    let x = MARGIN;
    for (const piece of orderLine(line)) {
      // With a list of features, even an empty one, pdfkit lays out a piece as a whole and not word by word.
      const options = { features: [], lineBreak: false };
      doc.text(piece, x, y, options);
      x += doc.widthOfString(piece, options);
    }
    doc.y = y + doc.currentLineHeight(true);
  }
  doc.x = MARGIN;
}

/** At spaces, and within a word only where it is wider than the page. */
function breakLines(doc: PDFKit.PDFDocument, text: string, width: number): string[] {
  const fits = (line: string) => doc.widthOfString(line.trimEnd()) <= width;
  const words = text.split(/(?<= )/).flatMap((word) => (fits(word) ? [word] : [...word]));
  const lines: string[] = [];
  for (const word of words) {
    const longer = (lines.at(-1) ?? '') + word;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => line.trimEnd());
}

/** With more, a tempo, a genre or a share of time would not fit on one line. */
const TILES_IN_ROW = 4;

function drawHeadline(doc: PDFKit.PDFDocument, source: ExportSource, width: number): void {
  const tiles = headlineOf(source.document);
  const tileWidth = width / TILES_IN_ROW;
  for (let first = 0; first < tiles.length; first += TILES_IN_ROW) {
    const row = tiles.slice(first, first + TILES_IN_ROW);
    const top = doc.y;
    const bottoms = row.map((tile, index) => drawTile(doc, tile, MARGIN + index * tileWidth, top, tileWidth));
    doc.y = Math.max(...bottoms) + 6;
  }
}

/** Returns the y of its bottom. */
function drawTile(doc: PDFKit.PDFDocument, tile: Tile, x: number, top: number, width: number): number {
  const { label, value, note } = tile;
  doc.font('text').fontSize(7).fillColor(SOFT).text(label, x, top, { width });
  doc
    .font('bold')
    .fontSize(11)
    .fillColor(INK)
    .text(value, x, top + 9, { width });
  if (note !== null) doc.font('text').fontSize(6.5).fillColor(SOFT).text(note, x, doc.y, { width });
  return doc.y;
}

function drawPlot(doc: PDFKit.PDFDocument, plot: Plot, width: number): void {
  const scale = width / plot.width;
  const headingHeight = 26;
  if (doc.y + headingHeight + plot.height * scale > doc.page.height - MARGIN) doc.addPage();
  doc.moveDown(0.7);
  doc.font('bold').fontSize(9).fillColor(INK).text(plot.title, MARGIN, doc.y, { width });
  doc.font('text').fontSize(7).fillColor(SOFT).text(plot.description, MARGIN, doc.y, { width });
  const top = doc.y + 3;
  doc.save().translate(MARGIN, top).scale(scale);
  for (const shape of plot.shapes) drawShape(doc, shape);
  doc.restore();
  doc.y = top + plot.height * scale;
}

function drawShape(doc: PDFKit.PDFDocument, shape: Shape): void {
  switch (shape.kind) {
    case 'rect':
      doc
        .rect(shape.x, shape.y, shape.width, shape.height)
        .fillOpacity(shape.opacity ?? 1)
        .fill(shape.fill)
        .fillOpacity(1);
      break;
    case 'line':
      if (shape.dashed) doc.dash(3, { space: 3 });
      doc
        .moveTo(...shape.from)
        .lineTo(...shape.to)
        .lineWidth(shape.width)
        .stroke(shape.stroke)
        .undash();
      break;
    case 'polyline': {
      const [first, ...rest] = shape.points;
      if (!first) break;
      doc.moveTo(...first);
      for (const point of rest) doc.lineTo(...point);
      doc.lineWidth(shape.width).stroke(shape.stroke);
      break;
    }
    case 'text':
      drawText(doc, shape);
      break;
    case 'image':
      doc.image(Buffer.from(shape.png), shape.x, shape.y, { width: shape.width, height: shape.height });
  }
}

function drawText(doc: PDFKit.PDFDocument, shape: Extract<Shape, { kind: 'text' }>): void {
  doc.font('text').fontSize(shape.size).fillColor(shape.fill);
  const textWidth = doc.widthOfString(shape.text);
  const shift = shape.anchor === 'end' ? textWidth : shape.anchor === 'middle' ? textWidth / 2 : 0;
  const cursor = doc.y;
  // By its baseline, as SVG does.
  doc.text(shape.text, shape.x - shift, shape.y, { lineBreak: false, baseline: 'alphabetic' });
  doc.y = cursor;
}

function collect(doc: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
}
