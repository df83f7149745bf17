export { formatClock } from './clock.ts';
export { COLLECTION_EXPORTS, keepForFormat } from './collection/formats.ts';
export { SONG_COLUMNS } from './collection/song-table.ts';
export { applyCorrections, reapplyCorrections } from './corrections/apply-corrections.ts';
export {
  CorrectionContradicts,
  type CorrectionKind,
  type Corrections,
  kindsOf,
} from './corrections/corrections.ts';
export { formatCsvRow } from './csv.ts';
export { type ExportSource, ExportUnavailable } from './export-source.ts';
export { EXPORTS, type ExportFormat } from './formats.ts';
export { notationsOf, readKeyName, wheelNumberOf } from './key-name.ts';
export { heatmapToPng } from './report/heatmap-png.ts';
export { writeReportHtml } from './report/report-html.ts';
export { writeReportPdf } from './report/report-pdf.ts';
export { buildResultDocument, type ResultDocument } from './result-document.ts';
export { safeFileName } from './safe-file-name.ts';
