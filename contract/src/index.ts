export * from './error-codes.ts';
export * from './operation.ts';
