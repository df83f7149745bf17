/** An external service that knows more about a recording than can be heard in it. */
export type EnrichmentProvider = {
  name: string;
  /** Throws only when the signal is aborted. A provider that is down or sends nonsense gives the status `unavailable`. */
  enrich(input: EnrichmentInput): Promise<Enrichment>;
};

export type EnrichmentInput = {
  /** Chromaprint, as fpcalc prints it. */
  fingerprint: string;
  durationSeconds: number;
  signal: AbortSignal;
};

export type Enrichment =
  | { provider: string; status: 'matched'; recordings: RecordingMatch[] }
  | { provider: string; status: 'no_match' }
  | {
      provider: string;
      status: 'unavailable';
      reason: 'provider_failed' | 'no_fingerprint' | 'not_configured';
    };

export type RecordingMatch = {
  acoustidId: string;
  musicbrainzRecordingId: string;
  /** How well the fingerprint fits, 0..1, in the provider's own measure. */
  score: number;
  title: string | null;
  artist: string | null;
  /** First release, as the provider dates it: YYYY, YYYY-MM or YYYY-MM-DD. */
  releaseDate: string | null;
  isrcs: string[];
};
