export type { AnalysisState, Backend, Watch } from './backend.ts';
export { joinCorrections } from './join-corrections.ts';
export { serveStdio } from './serve-stdio.ts';
export { createMcpServer } from './server.ts';
export { createInProcessBackend, createServiceBackend } from './service-backend.ts';
