export { type ExportSource, ExportUnavailable } from './export-source.ts';
export { EXPORTS, type ExportFile, type ExportFormat } from './formats.ts';
export * from './result-document.ts';
