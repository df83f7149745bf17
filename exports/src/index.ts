export * from './result-document.ts';
