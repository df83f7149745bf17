export { type ExportSource, ExportUnavailable } from './export-source.ts';
export { EXPORTS, type ExportFile, type ExportFormat } from './formats.ts';
export { heatmapToPng } from './report/heatmap-png.ts';
export { writeReportHtml } from './report/report-html.ts';
export { writeReportPdf } from './report/report-pdf.ts';
export * from './result-document.ts';
