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
  /** The address given; null for an upload. */
  sourceUrl: string | null;
  /** The upload, or what was downloaded so far; null before the download. */
  storageObjectId: string | null;
  storageBucket: string | null;
  storageKey: string | null;
  fileName: string | null;
  webhookUrl: string | null;
  /** Null: all. */
  features: FeatureGroup[] | null;
  hints: AnalysisHints;
  metadata: Record<string, string>;
  enrich: string[];
  /** Whether the audio stays once the analysis has ended. */
  retainSource: boolean;
  sourceStored: boolean;
  /** When the workspace's retention takes the audio; null: it does not. */
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
  /** Whether a person has said that something of the result is otherwise. */
  corrected: boolean;
  /** Null until it is completed. */
  headline: AnalysisHeadline | null;
};

/** From the shelf (library/): the result as people say it is, and what they wrote about the song. */
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
  /** 1..5. */
  rating: number | null;
  /** 120 peaks in base64. */
  waveform: string | null;
  duplicateOf: string | null;
};

export type AnalysisFailure = { code: FailureCode; message: string; retryable: boolean };

/** Why a canceled one has no result, for whoever reads only that. Sent again it would run. */
export const CANCELED: AnalysisFailure = {
  code: 'canceled',
  message: 'Canceled on request.',
  retryable: true,
};

export function hasEnded(analysis: Pick<Analysis, 'status'>): boolean {
  return analysis.status === 'completed' || analysis.status === 'failed' || analysis.status === 'canceled';
}

/** Whose turn it is in the queue. All demos share one: a crowd of strangers waits for itself, not before customers. */
export function tenantOf({ workspaceId }: Pick<Analysis, 'workspaceId'>): string {
  return workspaceId ?? 'demo';
}

/** Another song may still need the bytes of one whose audio was given up: they are not this song's any more. */
export function hasSource(analysis: Analysis): boolean {
  return analysis.sourceStored && (analysis.retainSource || !hasEnded(analysis));
}
