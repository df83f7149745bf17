import type { CompletedResult, Earshot, ExportFormat } from '@earshot/sdk';

export type FullResult = CompletedResult['result'];

/** One analysis as the tools see it. */
export type Analysed = {
  id: string;
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'canceled';
  /** What a person would call the song; null when nobody said. */
  name: string | null;
  progress: number;
  /** Null until it is completed. */
  result: FullResult | null;
  /** Why there will be none. */
  error: string | null;
};

/** How long to wait, and whom to tell meanwhile. */
export type Watch = { waitMs: number; onProgress(fraction: number): void; signal: AbortSignal };

/**
 * Where analyses come from: the service, or this machine. Null for what makes no sense there; the tool is then not
 * offered. What is thrown is shown to the assistant, so its message is public.
 */
export type Backend = {
  analyseFile: ((path: string, watch: Watch) => Promise<Analysed>) | null;
  analyseUrl: ((url: string, watch: Watch) => Promise<Analysed>) | null;
  find(id: string, watch: Watch): Promise<Analysed>;
  list(limit: number): Promise<Omit<Analysed, 'result'>[]>;
  writeExport(id: string, format: ExportFormat): Promise<Uint8Array>;
  /** The service, where there is one: its library is then offered too. */
  service?: Earshot;
};
