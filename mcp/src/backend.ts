import type { CompletedResult, Earshot, ExportFormat } from '@earshot/sdk';

export type FullResult = CompletedResult['result'];

/** One analysis as the tools see it. */
export type AnalysisState = {
  id: string;
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'canceled';
  /** The name of the file; null if it is unknown. */
  name: string | null;
  /** 0 to 1. */
  progress: number;
  /** Null until the analysis has completed. */
  result: FullResult | null;
  /** Why it failed; null otherwise. */
  error: string | null;
};

/** How long a call waits for an analysis, and where it reports progress. */
export type Watch = { waitMs: number; onProgress(fraction: number): void; signal: AbortSignal };

/**
 * Where analyses come from: the service, or this machine. Tools whose member is null are not offered. The messages of thrown
 * errors are shown to the assistant.
 */
export type Backend = {
  analyseFile: ((path: string, watch: Watch) => Promise<AnalysisState>) | null;
  analyseUrl: ((url: string, watch: Watch) => Promise<AnalysisState>) | null;
  get(id: string, watch: Watch): Promise<AnalysisState>;
  list(limit: number): Promise<Omit<AnalysisState, 'result'>[]>;
  writeExport(id: string, format: ExportFormat): Promise<Uint8Array>;
  /** Null on this machine, which has no library; otherwise the library tools are offered too. */
  service: Earshot | null;
};
