import type { FailureCode, JobStatus } from '@earshot/contract';
import type { AnalysisHints, FeatureGroup } from '@earshot/engine';

export type AnalysisSurface = 'workspace' | 'key' | 'demo';

/** One analysis as the rules see it. */
export type Analysis = {
  id: string;
  /** Null for the anonymous demo. */
  workspaceId: string | null;
  surface: AnalysisSurface;
  status: JobStatus;
  sourceKind: 'url' | 'object';
  /** The submitted URL; null for an upload. */
  sourceUrl: string | null;
  /** The upload or the finished download; null before the download. */
  storageObjectId: string | null;
  storageBucket: string | null;
  storageKey: string | null;
  fileName: string | null;
  webhookUrl: string | null;
  /** Null: all groups. */
  features: FeatureGroup[] | null;
  hints: AnalysisHints;
  metadata: Record<string, string>;
  enrich: string[];
  /** Whether the audio is kept once the analysis has ended. */
  retainSource: boolean;
  sourceStored: boolean;
  /** When the workspace's retention deletes the audio; null: never. */
  sourceExpiresAt: Date | null;
  stage: string | null;
  /** 0..1. */
  progress: number;
  attempt: number;
  failure: AnalysisFailure | null;
  /** The person who submitted it by hand; null for keys and demos. */
  submittedByUserId: string | null;
  createdAt: Date;
  updatedAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  /** Whether a person has corrected the result. */
  corrected: boolean;
  /** Null until it is completed. */
  headline: AnalysisHeadline | null;
};

/** From the library index: the result with corrections applied, and what people wrote about the song. */
export type AnalysisHeadline = {
  durationSeconds: number;
  bpm: number | null;
  keyNotation: string | null;
  camelot: string | null;
  loudnessLufs: number | null;
  title: string | null;
  artist: string | null;
  album: string | null;
  genre: string | null;
  mood: string | null;
  /** 0..1, and the next two. */
  energy: number | null;
  danceability: number | null;
  valence: number | null;
  voice: boolean | null;
  artwork: boolean;
  tags: string[];
  note: string | null;
  /** 0..5. */
  rating: number | null;
  /** 120 peaks in base64. */
  waveform: string | null;
  duplicateOf: string | null;
};

export type AnalysisFailure = { code: FailureCode; message: string; retryable: boolean };

/** The `error` of a canceled analysis. Retryable: submitted again, it would run. */
export const CANCELED: AnalysisFailure = {
  code: 'canceled',
  message: 'Canceled on request.',
  retryable: true,
};

export function hasEnded(analysis: Pick<Analysis, 'status'>): boolean {
  return analysis.status === 'completed' || analysis.status === 'failed' || analysis.status === 'canceled';
}

/** Tenants take turns in the queue. All demos are one tenant, so a crowd of visitors delays itself and not customers. */
export function tenantOf({ workspaceId }: Pick<Analysis, 'workspaceId'>): string {
  return workspaceId ?? 'demo';
}

/** Stored bytes alone do not count: another analysis of the same upload may keep them after this one has released them. */
export function hasSource(analysis: Analysis): boolean {
  return analysis.sourceStored && (analysis.retainSource || !hasEnded(analysis));
}
