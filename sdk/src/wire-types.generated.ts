/**
 * What crosses the wire, as plain types: a program that uses the SDK needs no schema library to compile.
 * Written from the OpenAPI document by `npm run openapi`; do not edit.
 */

export type AcceptedAnalysis = {
  /** Identifier with the prefix `job_` */
  job_id: string;
  status: KeyJobStatus;
};

export type AcceptedBatch = {
  jobs: {
    /** Identifier with the prefix `job_` */
    job_id: string;
    status: KeyJobStatus;
    url: string;
  }[];
};

export type AcceptedDemo = {
  /** Identifier with the prefix `job_` */
  job_id: string;
  status: KeyJobStatus;
  poll_url: string;
  /** UTC, ISO 8601 with milliseconds */
  expires_at: string;
};

export type AccountAnalysisRequest = {
  storage_object_id: string;
  /** Same as the header `Idempotency-Key`; if both are given they must agree */
  idempotency_key?: string | null;
};

export type AnalysisCanceledPayload = {
  type: 'analysis.canceled';
  /** UTC, ISO 8601 with milliseconds */
  timestamp: string;
  data: {
    /** Identifier with the prefix `job_` */
    job_id: string;
    /** UTC, ISO 8601 with milliseconds */
    created_at: string;
    /** UTC, ISO 8601 with milliseconds */
    completed_at: string;
    /** As given with the job */
    metadata: Record<string, string>;
    links: {
      job: string;
      result: string;
    };
    status: 'canceled';
    error: AnalysisFailure;
  };
};

export type AnalysisCompletedPayload = {
  type: 'analysis.completed';
  /** UTC, ISO 8601 with milliseconds */
  timestamp: string;
  data: {
    /** Identifier with the prefix `job_` */
    job_id: string;
    /** UTC, ISO 8601 with milliseconds */
    created_at: string;
    /** UTC, ISO 8601 with milliseconds */
    completed_at: string;
    /** As given with the job */
    metadata: Record<string, string>;
    links: {
      job: string;
      result: string;
    };
    status: 'completed';
    error: null;
  };
};

export type AnalysisEvent = {
  /** Identifier with the prefix `evt_` */
  id: string;
  event_type: 'job.queued' | 'job.started' | 'job.retrying' | 'source.downloaded' | 'audio.decoded' | 'analysis.progress' | 'enrichment.completed' | 'job.completed' | 'job.failed' | 'job.canceled' | 'source.deleted' | 'webhook.queued' | 'webhook.delivered' | 'webhook.failed';
  message: string;
  metadata: Record<string, unknown>;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
};

export type AnalysisFailedPayload = {
  type: 'analysis.failed';
  /** UTC, ISO 8601 with milliseconds */
  timestamp: string;
  data: {
    /** Identifier with the prefix `job_` */
    job_id: string;
    /** UTC, ISO 8601 with milliseconds */
    created_at: string;
    /** UTC, ISO 8601 with milliseconds */
    completed_at: string;
    /** As given with the job */
    metadata: Record<string, string>;
    links: {
      job: string;
      result: string;
    };
    status: 'failed';
    error: AnalysisFailure;
  };
};

export type AnalysisFailure = {
  code: FailureCode;
  message: string;
  /** Whether the same request may succeed later */
  retryable: boolean;
};

/** What is already known about the song. Each hint narrows the search */
export type AnalysisHints = {
  bpm?: number | null;
  bpm_min?: number | null;
  bpm_max?: number | null;
  key?: string | null;
  /** Beats in a bar */
  time_signature?: number | null;
};

export type AnalysisJob = {
  /** Identifier with the prefix `job_` */
  id: string;
  status: JobStatus;
  /** The URL as given; for an upload, `storage://<bucket>/<key>` of its storage object */
  source_url: string;
  idempotent_replay: boolean;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds */
  updated_at: string;
  storage_object_id: string | null;
  webhook_url: string | null;
  /** Null for all groups */
  features: ('rhythm' | 'tonal' | 'structure' | 'loudness' | 'quality' | 'timbre' | 'content' | 'waveform' | 'fingerprint' | 'tags')[] | null;
  metadata: Record<string, string>;
  stage: string | null;
  progress: number;
  attempt: number;
  started_at: string | null;
  completed_at: string | null;
  error: AnalysisFailure | null;
  /** The file name of the upload */
  file_name: string | null;
  /** Whether the audio is kept after the analysis */
  retain_source: boolean;
  /** Whether the audio is stored, so that it can be played (`artifacts/source`) and analysed again */
  source_available: boolean;
  /** When the retention policy of the workspace deletes the audio; null if it does not */
  source_expires_at: string | null;
  /** Null until the job is completed */
  headline: JobHeadline | null;
};

export type AnalysisRequest = {
  source_url?: string | null;
  storage_object_id?: string | null;
  webhook_url?: string | null;
  /** All groups unless given. `file` and `provenance` are always included */
  features?: ('file' | 'rhythm' | 'tonal' | 'structure' | 'loudness' | 'quality' | 'timbre' | 'content' | 'waveform' | 'fingerprint' | 'tags' | 'provenance')[] | null;
  hints?: AnalysisHints | null;
  /** Up to 16 pairs of text, returned with the job */
  metadata?: Record<string, string> | null;
  enrich?: 'acoustid'[] | null;
  /** Whether to keep the audio after the analysis. If omitted, the workspace decides; a workspace that never keeps audio overrides this */
  retain_source?: boolean | null;
};

export type AnalysisResult = {
  /** Identifier with the prefix `job_` */
  job_id: string;
  status: JobStatus;
  result: FullResult | null;
  report_artifact: ReportArtifact | null;
  error: AnalysisFailure | null;
};

export type ApiKey = {
  /** Identifier with the prefix `key_` */
  id: string;
  name: string;
  /** The first 12 characters of the key */
  prefix: string;
  scopes: ApiKeyScope[];
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** Accurate to the minute */
  last_used_at: string | null;
  /** Present once revoked */
  revoked_at?: string;
};

export type ApiKeyRequest = {
  name: string;
  scopes: ApiKeyScope[];
};

export type ApiKeyScope = 'analyses:create' | 'analyses:read' | 'analyses:write' | 'usage:read' | 'webhooks:read' | 'webhooks:write' | 'audit:read';

export type AuditEvent = {
  /** Identifier with the prefix `aud_` */
  id: string;
  action: string;
  target_type: string;
  target_id: string;
  metadata: Record<string, unknown>;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  actor_kind: 'user' | 'api_key' | 'system' | 'payment_provider';
  actor_id: string | null;
  ip: string | null;
  request_id: string | null;
};

export type BatchRequest = {
  items?: UrlAnalysisRequest[] | null;
  urls?: string[] | null;
};

/** Changes to individual beats, applied after tempo and bars. A beat is identified by its time */
export type BeatEdits = {
  /** In seconds */
  remove?: number[] | null;
  move?: {
    from_seconds: number;
    to_seconds: number;
  }[] | null;
  /** In seconds */
  add?: number[] | null;
};

export type BillingState = 'active' | 'past_due' | 'canceled';

export type BillingStatus = {
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  plan: 'free' | 'pro' | 'scale';
  status: BillingState;
  local_credit_balance: number;
  /** After a failed payment, the limits of the plan stay in force until then */
  grace_until: string | null;
};

export type BulkOutcome = {
  action: 'tag' | 'untag' | 'delete' | 'add_to_collection' | 'analyse_again' | 'export';
  /** The number of songs selected */
  matched: number;
  /** The number of songs that the action changed */
  changed: number;
  /** The ids of the new analyses for `analyse_again`; otherwise empty */
  job_ids: string[];
};

export type BulkRequest = {
  ids?: string[] | null;
  /** Every song that matches this filter, at most 10000 (500 to delete, analyse again or export) */
  query?: SongFilter | null;
  action: 'tag' | 'untag' | 'delete' | 'add_to_collection' | 'analyse_again' | 'export';
  /** For `tag` and `untag` */
  tags?: string[] | null;
  /** For `add_to_collection` */
  collection_id?: string | null;
  /** For `export` */
  format?: 'rekordbox' | 'traktor' | 'virtualdj' | 'serato' | 'm3u8' | 'csv' | 'jams' | 'chordpro' | null;
  folder?: string | null;
};

export type CheckoutRequest = {
  plan: 'pro' | 'scale';
  success_url?: string | null;
  cancel_url?: string | null;
};

/** Open `url` in a browser */
export type CheckoutSession = {
  id: string;
  url: string;
  /** What a change of plan costs for the rest of the month; null for a first subscription */
  proration: {
    /** In the smallest unit of the currency, billed immediately; a negative amount is credited to the next invoice */
    amount_due: number;
    currency: string;
  } | null;
};

export type Chord = {
  start_seconds: number;
  end_seconds: number;
  /** Harte syntax; `N` is no chord */
  label: string;
  /** Roman numeral in the key at its time; null without a key or a chord */
  roman: string | null;
  /** Bar in which it starts, counted from 0; null without beats */
  bar: number | null;
  /** Beat of that bar, counted from 1; null without beats */
  beat: number | null;
  confidence: number;
};

export type Collection = {
  /** Identifier with the prefix `col_` */
  id: string;
  name: string;
  description: string | null;
  /** Incremented by every change; the `ETag` is this number in quotes */
  version: number;
  item_count: number;
  /** Total length of its songs */
  duration_seconds: number;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds */
  updated_at: string;
  items: CollectionItem[];
};

export type CollectionChange = {
  name?: string;
  description?: string | null;
};

export type CollectionItem = {
  /** Identifier with the prefix `job_` */
  job_id: string;
  title: string | null;
  artist: string | null;
  bpm: number | null;
  key_notation: string | null;
  camelot: string | null;
  energy: number | null;
  duration_seconds: number | null;
};

export type CollectionItems = {
  /** Ids of analyses, in order, without duplicates */
  items: string[];
};

/** A proposal; the collection is not changed */
export type CollectionOrder = {
  by: 'harmonic' | 'energy' | 'bpm';
  steps: {
    /** Identifier with the prefix `job_` */
    job_id: string;
    title: string | null;
    artist: string | null;
    bpm: number | null;
    key_notation: string | null;
    camelot: string | null;
    energy: number | null;
    duration_seconds: number | null;
    /** Why the song comes here, in words */
    reason: string;
    /** The change of speed that matches the tempo of the previous song, at half or double time if that is closer */
    tempo_shift_percent: number | null;
    key_relation: string | null;
    energy_step: number | null;
  }[];
};

export type CollectionSummary = {
  /** Identifier with the prefix `col_` */
  id: string;
  name: string;
  description: string | null;
  /** Incremented by every change; the `ETag` is this number in quotes */
  version: number;
  item_count: number;
  /** Total length of its songs */
  duration_seconds: number;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds */
  updated_at: string;
};

export type CorrectedChord = {
  start_seconds: number;
  end_seconds: number;
  label: string;
};

export type CorrectedSection = {
  start_seconds: number;
  end_seconds: number;
  label: 'intro' | 'verse' | 'pre-chorus' | 'chorus' | 'bridge' | 'instrumental' | 'break' | 'outro';
  /** Sections with the same letter repeat the same music */
  group?: string | null;
};

/** What a person corrected; all fields are null if nothing has been corrected */
export type Correction = {
  /** Identifier with the prefix `job_` */
  job_id: string;
  /** What has been corrected */
  kinds: ('tempo' | 'bars' | 'beats' | 'key' | 'chords' | 'sections')[];
  tempo: 'double' | 'half' | 'triple' | 'third' | number | null;
  /** The tempo that `tempo` results in */
  bpm: number | null;
  first_downbeat_seconds: number | null;
  shift_beats: number | null;
  beats_per_bar: number | null;
  key: string | null;
  /** As given */
  sections: CorrectedSection[] | null;
  chords: CorrectedChord[] | null;
  beats: BeatEdits | null;
  note: string | null;
  corrected_by: string | null;
  updated_at: string | null;
};

export type CorrectionRequest = {
  tempo?: 'double' | 'half' | 'triple' | 'third' | number | null;
  first_downbeat_seconds?: number | null;
  shift_beats?: number | null;
  beats_per_bar?: number | null;
  key?: string | null;
  sections?: CorrectedSection[] | null;
  chords?: CorrectedChord[] | null;
  beats?: BeatEdits | null;
  note?: string | null;
};

/** Values at equal steps: value i belongs to `start_seconds + i * hop_seconds`. Null where there is nothing to measure */
export type Curve = {
  hop_seconds: number;
  start_seconds: number;
  values: (number | null)[];
};

export type Deleted = {
  deleted: boolean;
};

export type DeletedEndpoint = {
  deleted: boolean;
};

export type DeliverySummary = {
  attempted: number;
  delivered: number;
  failed: number;
  pending: number;
};

export type DemoRequest = {
  url: string;
};

export type EmailVerification = {
  verified: boolean;
  email: string;
};

export type EmailVerificationRequest = {
  token: string;
};

export type FailureCode = 'unsupported_format' | 'corrupt_audio' | 'no_audio' | 'too_long' | 'too_large' | 'download_failed' | 'download_forbidden' | 'timed_out' | 'internal' | 'canceled';

/** The fields of the summary and all groups */
export type FullResult = {
  schema_version: string;
  engine_version: string;
  duration_seconds: number;
  bpm: number | null;
  bpm_confidence: number | null;
  /** Beats in a bar */
  time_signature: number | null;
  key: 'C' | 'C#' | 'D' | 'Eb' | 'E' | 'F' | 'F#' | 'G' | 'Ab' | 'A' | 'Bb' | 'B' | null;
  scale: 'major' | 'minor' | null;
  key_notation: string | null;
  key_confidence: number | null;
  camelot: string | null;
  open_key: string | null;
  loudness_lufs: number | null;
  true_peak_dbtp: number | null;
  energy: number | null;
  danceability: number | null;
  valence: number | null;
  acousticness: number | null;
  instrumentalness: number | null;
  speechiness: number | null;
  mood_tags: string[];
  genre_suggestions: string[];
  /** Why a value is null */
  unavailable: Record<string, string>;
  /** What a person has corrected; null if nothing */
  corrections: ResultCorrections | null;
  file: ResultFile | null;
  rhythm: ResultRhythm | null;
  tonal: ResultTonal | null;
  structure: ResultStructure | null;
  loudness: ResultLoudness | null;
  quality: ResultQuality | null;
  timbre: ResultTimbre | null;
  content: ResultContent | null;
  waveform: ResultWaveform | null;
  fingerprint: ResultFingerprint | null;
  tags: ResultTags | null;
  provenance: ResultProvenance;
  enrichment: ResultEnrichment[];
};

export type Health = {
  status: 'ok';
};

export type Invitation = {
  /** Identifier with the prefix `inv_` */
  id: string;
  email: string;
  role: WorkspaceRole;
  status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds */
  expires_at: string;
  /** Present once accepted */
  accepted_at?: string;
  /** Present once revoked */
  revoked_at?: string;
  /** Present once declined */
  declined_at?: string;
};

export type InvitationRequest = {
  email: string;
  role?: 'viewer' | 'member' | 'admin';
};

/** The values shown in a list of songs */
export type JobHeadline = {
  duration_seconds: number;
  bpm: number | null;
  key_notation: string | null;
  camelot: string | null;
  loudness_lufs: number | null;
  /** Set by a person, otherwise from the tags of the file, otherwise the file name */
  title: string | null;
  artist: string | null;
  album: string | null;
  /** From the tags of the file, otherwise the first suggestion */
  genre: string | null;
  mood: string | null;
  energy: number | null;
  danceability: number | null;
  valence: number | null;
  /** Whether there is a voice; null if unknown */
  voice: boolean | null;
  /** Whether the file contains cover art */
  artwork: boolean;
  tags: string[];
  note: string | null;
  rating: number | null;
  /** 120 peak values over the length of the song */
  waveform: number[] | null;
  /** The first analysis of the same recording; null if this is the first */
  same_recording_as: string | null;
  /** Whether a person has corrected the result */
  corrected: boolean;
};

export type JobStatus = 'queued' | 'processing' | 'completed' | 'failed' | 'canceled';

export type JobWebhookDelivery = {
  /** Identifier with the prefix `whd_` */
  id: string;
  /** Identifier with the prefix `job_` */
  job_id: string;
  event_type: 'analysis.completed' | 'analysis.failed' | 'analysis.canceled' | 'webhook.test';
  status: 'pending' | 'delivering' | 'delivered' | 'failed';
  attempt_count: number;
  /** The last one sent, or, before the first attempt, the one that will be sent */
  signature: string;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** Null for a job's own webhook_url */
  endpoint_id: string | null;
  url: string;
  next_attempt_at: string | null;
  last_status_code: number | null;
  last_error: string | null;
  /** The request body, byte for byte, that the signature covers */
  body: string;
  related_delivery_ids: string[];
};

export type JsonRpcAnswer = {
  jsonrpc: '2.0';
  id: string | number | null;
};

export type JsonRpcMessage = {
  jsonrpc: '2.0';
  /** Absent in a notification */
  id?: string | number;
  /** Absent in a response */
  method?: string;
  params?: Record<string, unknown>;
};

export type KeyAnalysis = {
  /** Identifier with the prefix `job_` */
  job_id: string;
  status: KeyJobStatus;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  completed_at: string | null;
  /** Why the analysis failed, as a sentence */
  error: string | null;
  /** The same as a code */
  error_code: FailureCode | null;
  /** Whether the same request may succeed later */
  retryable: boolean | null;
  progress: number;
  sections: ShortSection[];
  result: ResultSummary | null;
};

export type KeyAnalysisFull = {
  /** Identifier with the prefix `job_` */
  job_id: string;
  status: KeyJobStatus;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  completed_at: string | null;
  /** Why the analysis failed, as a sentence */
  error: string | null;
  /** The same as a code */
  error_code: FailureCode | null;
  /** Whether the same request may succeed later */
  retryable: boolean | null;
  progress: number;
  sections: Section[];
  result: FullResult | null;
};

export type KeyBillingStatus = {
  tier: 'free' | 'pro' | 'scale';
  status: BillingState;
  meter: Meter | null;
  portal_available: boolean;
  email_verified: boolean;
};

export type KeyJobStatus = 'processing' | 'completed' | 'failed';

export type KeyUsage = {
  /** Billing month */
  period: string;
  /** Billing month */
  month: string;
  /** UTC, ISO 8601 with milliseconds */
  period_start: string;
  /** UTC, ISO 8601 with milliseconds */
  period_end: string;
  tier: 'free' | 'pro' | 'scale';
  limit: number;
  count: number;
  remaining: number;
  meter: Meter | null;
  storage: StorageUse;
};

export type Meter = {
  state: 'active' | 'inactive';
  included: number;
  used: number;
  /** Analyses beyond the included ones, billed individually */
  overage: number;
};

/** A term of the published taxonomy */
export type NamedTag = {
  label: string;
  confidence: number;
  /** The sections it applies to */
  spans: {
    start_seconds: number;
    end_seconds: number;
    confidence: number;
  }[];
};

export type NewApiKey = {
  /** Identifier with the prefix `key_` */
  id: string;
  name: string;
  /** The first 12 characters of the key */
  prefix: string;
  scopes: ApiKeyScope[];
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** The API key; it is not shown again */
  plaintext_key: string;
};

export type NewCollection = {
  name: string;
  description?: string | null;
  items?: string[] | null;
};

export type NewShare = {
  /** Identifier with the prefix `shr_` */
  id: string;
  /** Identifier with the prefix `job_` */
  job_id: string;
  /** Id of the user or API key */
  created_by: string;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  revoked_at: string | null;
  /** The link; it is not shown again */
  url: string;
};

export type NewWebhookEndpoint = {
  /** Identifier with the prefix `whe_` */
  id: string;
  url: string;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds */
  updated_at: string;
  description: string | null;
  /** Empty for every event */
  event_types: ('analysis.completed' | 'analysis.failed' | 'analysis.canceled')[];
  status: 'active' | 'disabled';
  disabled_reason: string | null;
  /** `whsec_…`; it is not shown again */
  signing_secret: string;
};

export type NextSong = {
  job: AnalysisJob;
  score: number;
  key_relation: string | null;
  /** The change of speed that matches the tempo of the previous song, at half or double time if that is closer; at most 8 % */
  tempo_shift_percent: number | null;
  energy_step: number | null;
  reason: string;
};

export type NotificationPreferences = {
  analysis_complete: boolean;
  billing_updates: boolean;
  product_updates: boolean;
};

export type OwnershipTransfer = {
  owner: TeamMember;
  previous_owner: TeamMember;
  transferred: boolean;
};

export type PaymentEventReceipt = {
  accepted: boolean;
  event_type: string;
};

export type PlanList = {
  plans: {
    plan: 'free' | 'pro' | 'scale';
    analyses_per_month: number;
    /** Storage for audio and reports */
    storage_bytes: number;
    /** Whether analyses beyond the month's allowance are accepted and billed individually */
    overage: boolean;
    /** Null for the free plan, and if the service has no payment provider */
    price: {
      /** Per month, in the smallest unit of the currency */
      amount: number;
      currency: string;
    } | null;
  }[];
};

/** Open `url` in a browser */
export type PortalSession = {
  id: string;
  url: string;
};

export type Problem = {
  /** A sentence that says what to do about it */
  detail: string;
  code: 'unauthorized' | 'email_not_verified' | 'insufficient_role' | 'insufficient_scope' | 'cross_origin_cookie' | 'not_found' | 'method_not_allowed' | 'quota_exceeded' | 'email_exists' | 'conflict' | 'already_finished' | 'not_finished' | 'no_webhook_endpoint' | 'owner_required' | 'already_member' | 'already_invited' | 'object_not_uploaded' | 'object_already_uploaded' | 'endpoint_disabled' | 'subscription_exists' | 'payments_not_configured' | 'idempotency_key_reused' | 'idempotency_in_progress' | 'gone' | 'precondition_failed' | 'payload_too_large' | 'storage_quota_exceeded' | 'unsupported_media' | 'bad_signature' | 'bad_request' | 'too_many_attempts' | 'rate_limited' | 'internal' | 'payment_provider_failed' | 'unavailable' | 'overloaded' | 'storage_full';
  request_id: string;
};

export type Profile = {
  /** Identifier with the prefix `usr_` */
  user_id: string;
  email: string;
  /** UTC, ISO 8601 with milliseconds */
  expires_at: string;
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  workspace_name: string;
  workspace_role: WorkspaceRole;
  notification_preferences: NotificationPreferences;
  name: string | null;
  email_verified: boolean;
};

export type ProfileUpdate = {
  name?: string | null;
  /** Admins and the owner only */
  workspace_name?: string;
  notification_preferences?: {
    analysis_complete?: boolean;
    billing_updates?: boolean;
    product_updates?: boolean;
  };
};

export type Readiness = {
  status: 'ready' | 'not_ready';
  checks: Record<string, 'ok' | 'low' | 'failing'>;
};

export type ReceivedInvitation = {
  /** Identifier with the prefix `inv_` */
  id: string;
  email: string;
  role: WorkspaceRole;
  status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds */
  expires_at: string;
  /** Present once accepted */
  accepted_at?: string;
  /** Present once revoked */
  revoked_at?: string;
  /** Present once declined */
  declined_at?: string;
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  workspace_name: string;
};

export type ReceivedInvitations = {
  invitations: ReceivedInvitation[];
};

export type Registration = {
  /** Identifier with the prefix `usr_` */
  user_id: string;
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  email: string;
  /** The API key; it is not shown again */
  api_key: string;
  /** Identifier with the prefix `key_` */
  api_key_id: string;
  prefix: string;
  tier: 'free' | 'pro' | 'scale';
  email_verified: boolean;
  verification_required: boolean;
  /** Signs the calls to the `webhook_url` of a job (`whsec_…`) */
  webhook_signing_secret: string;
  /** The token of the verification mail; null unless the service runs without a mail transport */
  dev_verification_token: string | null;
};

export type RegistrationRequest = {
  email: string;
  name?: string | null;
};

export type RemovedMember = {
  removed: boolean;
};

export type ReportArtifact = {
  /** Identifier with the prefix `art_` */
  id: string;
  formats: Record<string, string>;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  expires_at: string | null;
};

export type ResultContent = {
  regions: {
    start_seconds: number;
    end_seconds: number;
    kind: 'music' | 'speech' | 'silence' | 'noise';
    confidence: number;
  }[];
  /** Share of the recording with a voice */
  voice_presence: number | null;
  voice_presence_confidence: number | null;
  voice_spans?: {
    start_seconds: number;
    end_seconds: number;
    kind: 'sung' | 'rapped' | 'spoken';
    confidence: number;
  }[];
  /** Probability of a voice in steps of 0.1 s; null if the voice network was not run */
  voice_curve?: Curve | null;
};

export type ResultCorrections = {
  /** What has been corrected */
  kinds: ('tempo' | 'bars' | 'beats' | 'key' | 'chords' | 'sections')[];
  heard: {
    bpm: number | null;
    time_signature: number | null;
    first_downbeat_seconds: number | null;
    key_notation: string | null;
    camelot: string | null;
  };
  note: string | null;
  /** Id of the user, or of the user who created the API key */
  corrected_by: string;
  /** UTC, ISO 8601 with milliseconds */
  updated_at: string;
};

export type ResultEnrichment = {
  provider: string;
  status: 'matched' | 'no_match' | 'unavailable';
};

export type ResultFile = {
  container: string | null;
  codec: string | null;
  sample_rate_hz: number | null;
  channels: number | null;
  bit_depth: number | null;
  bit_rate_bps: number | null;
  duration_seconds: number | null;
  byte_size: number | null;
  sha256: string | null;
  /** title, artist, album, isrc, … as stored in the file */
  tags: Record<string, unknown>;
  cover_art_present: boolean | null;
};

export type ResultFingerprint = {
  /** As fpcalc prints it */
  chromaprint: string | null;
  /** Length of the audio it covers */
  chromaprint_duration_seconds: number;
  /** Unit vector; the dot product of two is their similarity */
  embedding: number[] | null;
  /** Version of the layout; absent means 1. Vectors of different versions cannot be compared */
  embedding_version?: number;
};

export type ResultLoudness = {
  integrated_lufs: number | null;
  range_lu: number | null;
  momentary_max_lufs: number | null;
  short_term_max_lufs: number | null;
  true_peak_dbtp: number | null;
  sample_peak_dbfs: number | null;
  plr_lu: number | null;
  replay_gain: {
    track_gain_db: number | null;
    track_peak: number;
  };
  momentary: Curve;
  short_term: Curve;
  platforms: {
    platform: 'spotify' | 'apple_music' | 'youtube' | 'tidal' | 'amazon_music' | 'podcast';
    target_lufs: number;
    /** What the platform will apply */
    gain_db: number | null;
    /** True peak after that gain */
    true_peak_after_dbtp: number | null;
    /** Whether the gain stays below what the target asks for */
    limited: boolean;
  }[];
};

export type ResultProvenance = {
  schema_version: string;
  engine_version: string;
  decoder: string | null;
  models: {
    name: string;
    version: string;
    sha256: string;
  }[];
  /** UTC, ISO 8601 with milliseconds */
  analysed_at: string;
  analysis_seconds: number | null;
  options: Record<string, unknown>;
};

export type ResultQuality = {
  events: {
    kind: 'clipping' | 'dropout' | 'silence' | 'click';
    start_seconds: number;
    end_seconds: number;
    /** Counted from 0; null if it is in all channels */
    channel: number | null;
    /** 0 to 1, not comparable between kinds. Clipping: the share of its time that is clipped. Dropout: the lower of the peaks before and after the gap, relative to full scale. Silence: its length in units of 10 s. Click: the second difference of the samples, relative to full scale, which is twice the height of a single wrong sample */
    severity: number;
  }[];
  /** Counts all events; `events` lists the first 200 of each kind */
  event_counts: {
    clipping: number;
    dropout: number;
    silence: number;
    click: number;
  };
  dc_offset: number[];
  /** An upper bound: the level that 98 % of the recording exceeds */
  noise_floor_dbfs: number | null;
  hum: {
    frequency_hz: 50 | 60;
    level_dbfs: number;
    confidence: number;
  } | null;
  bandwidth_hz: number | null;
  lossy_transcode: {
    verdict: 'likely' | 'unlikely' | 'unknown';
    cutoff_hz: number | null;
    confidence: number;
  };
  stereo: {
    /** 1 identical, 0 unrelated, -1 inverted */
    correlation: number;
    /** Share of the energy in the side signal: 0 mono, 0.5 unrelated, 1 inverted */
    width: number;
    correlation_curve: Curve;
    width_curve: Curve;
    /** Level lost when the channels are mixed to mono */
    mono_loss_db: number;
    /** Level of the left channel over the right one */
    imbalance_db: number;
    phase_inverted: boolean;
  } | null;
  non_finite_samples: number;
};

export type ResultRhythm = {
  /** Tempo measured from the beats, unrounded */
  bpm: number | null;
  confidence: number | null;
  /** The tempi it could be counted in, the most probable first; weights below 0.5 % are left out, so that they add up to at most 1 */
  alternatives: {
    bpm: number;
    weight: number;
  }[];
  /** Steadiness of the tempo from 0 to 1; 1 is a metronome */
  stability: number | null;
  tempo_curve: {
    time_seconds: number;
    bpm: number;
  }[];
  beats: {
    time_seconds: number;
    confidence: number;
    /** 1 is the downbeat */
    beat_in_bar: number;
    /** Counted from 0 */
    bar: number;
  }[];
  downbeats: {
    time_seconds: number;
    confidence: number;
  }[];
  time_signature: {
    beats_per_bar: number;
    confidence: number;
    changes: {
      start_seconds: number;
      end_seconds: number;
      beats_per_bar: number;
      confidence: number;
    }[];
  } | null;
  onsets: {
    time_seconds: number;
    /** 0 to 1 */
    strength: number;
  }[];
  /** Onsets per second */
  onset_rate_hz: number;
  swing: {
    /** Share of the first eighth note in a beat: 0.5 is straight, 0.667 triplet swing */
    ratio: number;
    confidence: number;
  } | null;
};

export type ResultStructure = {
  sections: Section[];
  segments: {
    fade_in_end_seconds: number | null;
    fade_out_start_seconds: number | null;
  };
};

export type ResultSummary = {
  schema_version: string;
  engine_version: string;
  duration_seconds: number;
  bpm: number | null;
  bpm_confidence: number | null;
  /** Beats in a bar */
  time_signature: number | null;
  key: 'C' | 'C#' | 'D' | 'Eb' | 'E' | 'F' | 'F#' | 'G' | 'Ab' | 'A' | 'Bb' | 'B' | null;
  scale: 'major' | 'minor' | null;
  key_notation: string | null;
  key_confidence: number | null;
  camelot: string | null;
  open_key: string | null;
  loudness_lufs: number | null;
  true_peak_dbtp: number | null;
  energy: number | null;
  danceability: number | null;
  valence: number | null;
  acousticness: number | null;
  instrumentalness: number | null;
  speechiness: number | null;
  mood_tags: string[];
  genre_suggestions: string[];
  /** Why a value is null */
  unavailable: Record<string, string>;
  /** What a person has corrected; null if nothing */
  corrections: ResultCorrections | null;
};

/** Best first */
export type ResultTags = {
  genres: NamedTag[];
  moods: NamedTag[];
  instruments: NamedTag[];
  eras: NamedTag[];
};

export type ResultTimbre = {
  mfcc_mean: number[];
  mfcc_covariance: number[][];
  centroid_hz: number | null;
  rolloff_hz: number | null;
  flatness: number | null;
  flux: number | null;
  contrast_db: number[];
  tonal_balance: {
    band: string;
    low_hz: number;
    high_hz: number;
    level_db: number;
    reference_db: number;
    deviation_db: number;
  }[];
};

export type ResultTonal = {
  key: 'C' | 'C#' | 'D' | 'Eb' | 'E' | 'F' | 'F#' | 'G' | 'Ab' | 'A' | 'Bb' | 'B' | null;
  scale: 'major' | 'minor' | null;
  confidence: number | null;
  /** The next most probable keys */
  alternatives: {
    key: 'C' | 'C#' | 'D' | 'Eb' | 'E' | 'F' | 'F#' | 'G' | 'Ab' | 'A' | 'Bb' | 'B';
    scale: 'major' | 'minor';
    weight: number;
  }[];
  key_changes: {
    start_seconds: number;
    end_seconds: number;
    key: 'C' | 'C#' | 'D' | 'Eb' | 'E' | 'F' | 'F#' | 'G' | 'Ab' | 'A' | 'Bb' | 'B';
    scale: 'major' | 'minor';
    confidence: number;
  }[];
  /** Frequency of A4 */
  tuning_hz: number | null;
  /** Offset from A4 = 440 Hz */
  tuning_cents: number | null;
  /** Spans of major, minor and no chord */
  chords: Chord[];
  /** The same with sevenths, suspensions, diminished and augmented chords */
  chords_sevenths: Chord[];
  /** Mean chroma from C, largest value 1 */
  chroma: number[];
};

/** Zoom levels in audiowaveform's JSON format, finest first */
export type ResultWaveform = {
  levels: {
    version: 2;
    channels: number;
    sample_rate: number;
    samples_per_pixel: number;
    bits: 8;
    length: number;
    data: number[];
  }[];
  /** Absent from results of earlier versions */
  bands?: WaveformBands | null;
};

export type Revoked = {
  revoked: boolean;
};

export type RoleUpdate = {
  role: 'viewer' | 'member' | 'admin';
};

export type Section = {
  start_seconds: number;
  end_seconds: number;
  label: 'intro' | 'verse' | 'pre-chorus' | 'chorus' | 'bridge' | 'instrumental' | 'break' | 'outro';
  label_confidence: number;
  /** A, B, …: sections with the same letter repeat the same music */
  group: string;
  /** Of the boundary at its start; for the first section, at its end */
  confidence: number;
  /** Whole bars before it; null without beats */
  start_bar: number | null;
  bpm: number | null;
  key: string | null;
  loudness_lufs: number | null;
  /** Relative to the loudest section, which has 1; 0 is 20 LU below it or quieter. Unlike the energy of the whole song */
  energy: number | null;
};

export type Session = {
  /** Identifier with the prefix `usr_` */
  user_id: string;
  email: string;
  /** UTC, ISO 8601 with milliseconds */
  expires_at: string;
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  workspace_role: WorkspaceRole;
};

/** A workspace that was registered with this e-mail address before the address was verified. You are not a member, and its API keys do not work. */
export type SetAsideWorkspace = {
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  /** UTC, ISO 8601 with milliseconds */
  registered_at: string;
  api_keys: number;
  webhook_endpoints: number;
  analyses: number;
  /** When it is erased unless it is claimed before */
  erased_at: string;
};

export type Share = {
  /** Identifier with the prefix `shr_` */
  id: string;
  /** Identifier with the prefix `job_` */
  job_id: string;
  /** Id of the user or API key */
  created_by: string;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  revoked_at: string | null;
};

export type ShortSection = {
  start_seconds: number;
  end_seconds: number;
  label: 'intro' | 'verse' | 'pre-chorus' | 'chorus' | 'bridge' | 'instrumental' | 'break' | 'outro';
};

export type SignInChallenge = {
  /** Identifier with the prefix `chl_` */
  challenge_id: string;
  /** The code itself; null unless the service runs without a mail transport */
  dev_code: string | null;
  /** UTC, ISO 8601 with milliseconds */
  expires_at: string;
};

export type SignInStart = {
  email: string;
};

export type SignInVerification = {
  challenge_id: string;
  /** The six-digit code */
  code: string;
};

export type SignedInSession = {
  /** Identifier with the prefix `usr_` */
  user_id: string;
  email: string;
  /** UTC, ISO 8601 with milliseconds */
  expires_at: string;
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  /** Send it as `Authorization: Bearer …`; also set as a cookie */
  access_token: string;
  token_type: 'bearer';
  /** Set if this sign-in was the first to verify an address that had already been registered; otherwise null */
  set_aside: SetAsideWorkspace | null;
};

export type SigningSecret = {
  signing_secret: string;
  /** Until then every call is also signed with the previous secret */
  previous_secret_expires_at: string | null;
};

export type SimilarSong = {
  job: AnalysisJob;
  /** 1 for the song itself */
  similarity: number;
  reason: string;
};

/** Omitted fields keep their value; null restores the value from the file */
export type SongDescription = {
  title?: string | null;
  artist?: string | null;
  album?: string | null;
  /** Replaces all tags */
  tags?: string[] | null;
  note?: string | null;
  rating?: number | null;
};

export type SongFilter = {
  /** Words in title, artist, album, file name, tags and note. Case and accents are ignored, and the beginning of a word is enough */
  q?: string;
  bpm_min?: number;
  bpm_max?: number;
  /** Within 4 %, also at half or double tempo */
  bpm_near?: number;
  /** Any of these keys */
  key?: string[];
  /** A key, a Camelot number or the id of an analysis: finds songs in the same key, its neighbours on the Camelot wheel and its relative key */
  compatible_with?: string;
  energy_min?: number;
  energy_max?: number;
  danceability_min?: number;
  danceability_max?: number;
  valence_min?: number;
  valence_max?: number;
  /** LUFS */
  loudness_min?: number;
  /** LUFS */
  loudness_max?: number;
  /** Seconds */
  duration_min?: number;
  /** Seconds */
  duration_max?: number;
  /** Any of these */
  genre?: string[];
  /** Any of these */
  mood?: string[];
  /** All of these */
  instrument?: string[];
  /** All of these */
  tag?: string[];
  /** Whether there is a voice */
  voice?: 'yes' | 'no';
  /** Only songs in this collection */
  collection?: string;
  status?: 'queued' | 'processing' | 'completed' | 'failed' | 'canceled';
  /** In UTC unless it names a zone */
  created_after?: string;
  /** In UTC unless it names a zone */
  created_before?: string;
  /** Only songs analysed from exactly this file, to avoid sending it twice */
  sha256?: string;
  /** Recordings that occur more than once: `only` returns nothing else, `hide` returns each once */
  duplicates?: 'only' | 'hide';
};

export type StorageObject = {
  /** Identifier with the prefix `obj_` */
  id: string;
  bucket: string;
  key: string;
  /** Accepts one PUT of the file with the same content type */
  signed_url: string;
  /** UTC, ISO 8601 with milliseconds */
  expires_at: string;
  content_type: string;
  bytes_max: number;
};

export type StorageObjectRequest = {
  /** One of audio/*, video/mp4, video/webm, application/ogg, application/octet-stream */
  content_type: string;
  purpose?: 'upload' | null;
  file_name?: string | null;
};

export type StorageUse = {
  /** Files waiting for analysis, retained audio, reports, and uploads in progress */
  used_bytes: number;
  limit_bytes: number;
};

export type StoredObject = {
  /** Identifier with the prefix `obj_` */
  id: string;
  byte_size: number;
  sha256: string;
  content_type: string;
};

export type Team = {
  invitations: Invitation[];
  members: TeamMember[];
};

export type TeamMember = {
  /** Identifier with the prefix `usr_` */
  user_id: string;
  email: string;
  role: WorkspaceRole;
  status: 'active' | 'removed';
  name: string | null;
};

export type UpdatedMember = {
  member: TeamMember;
  updated: boolean;
};

export type UploadFields = {
  webhook_url?: string | null;
  /** All groups unless given. `file` and `provenance` are always included */
  features?: ('file' | 'rhythm' | 'tonal' | 'structure' | 'loudness' | 'quality' | 'timbre' | 'content' | 'waveform' | 'fingerprint' | 'tags' | 'provenance')[] | null;
  hints?: AnalysisHints | null;
  /** Up to 16 pairs of text, returned with the job */
  metadata?: Record<string, string> | null;
  enrich?: 'acoustid'[] | null;
  /** Whether to keep the audio after the analysis. If omitted, the workspace decides; a workspace that never keeps audio overrides this */
  retain_source?: boolean | null;
};

export type UrlAnalysisRequest = {
  url: string;
  webhook_url?: string | null;
  /** All groups unless given. `file` and `provenance` are always included */
  features?: ('file' | 'rhythm' | 'tonal' | 'structure' | 'loudness' | 'quality' | 'timbre' | 'content' | 'waveform' | 'fingerprint' | 'tags' | 'provenance')[] | null;
  hints?: AnalysisHints | null;
  /** Up to 16 pairs of text, returned with the job */
  metadata?: Record<string, string> | null;
  enrich?: 'acoustid'[] | null;
  /** Whether to keep the audio after the analysis. If omitted, the workspace decides; a workspace that never keeps audio overrides this */
  retain_source?: boolean | null;
};

export type Usage = {
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  local_analysis_jobs: number;
  /** Credits used this month */
  local_analysis_credits: number;
  provider_enrichment_jobs: number;
  /** The days of the month with usage, in order; their credits add up to `local_analysis_credits` */
  days: {
    date: string;
    credits: number;
  }[];
  /** Billing month */
  period: string;
  /** Billing month */
  month: string;
  storage: StorageUse;
};

export type ValidationIssue = {
  type: string;
  /** The path to the value: `body`, `query`, `path` or `header`, then member names and indexes */
  loc: string[];
  msg: string;
  /** The value at `loc`; for a missing member, the object that lacks it */
  input: unknown;
  ctx?: Record<string, unknown>;
};

export type ValidationProblem = {
  detail: ValidationIssue[];
};

export type Version = {
  service: string;
  version: string;
  commit: string;
  api: string;
  engine: string;
  node: string;
};

/** Levels of lows (to 200 Hz), mids and highs (from 2 kHz) over time; 255 is the loudest moment of each band */
export type WaveformBands = {
  hop_seconds: number;
  low: number[];
  mid: number[];
  high: number[];
};

export type WebhookAttempt = {
  /** Identifier with the prefix `att_` */
  id: string;
  /** Identifier with the prefix `whd_` */
  delivery_id: string;
  url: string;
  attempt: number;
  status: 'delivered' | 'failed';
  status_code: number | null;
  error: string | null;
  /** UTC, ISO 8601 with milliseconds */
  attempted_at: string;
  duration_ms: number;
};

export type WebhookAttempts = {
  /** Identifier with the prefix `job_` */
  job_id: string;
  attempts: WebhookAttempt[];
};

export type WebhookDelivery = {
  /** Identifier with the prefix `whd_` */
  id: string;
  /** Null for a test call */
  job_id: string | null;
  event_type: 'analysis.completed' | 'analysis.failed' | 'analysis.canceled' | 'webhook.test';
  status: 'pending' | 'delivering' | 'delivered' | 'failed';
  attempt_count: number;
  /** The last one sent, or, before the first attempt, the one that will be sent */
  signature: string;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** Null for a job's own webhook_url */
  endpoint_id: string | null;
  url: string;
  next_attempt_at: string | null;
  last_status_code: number | null;
  last_error: string | null;
  /** The request body, byte for byte, that the signature covers */
  body: string;
};

export type WebhookEndpoint = {
  /** Identifier with the prefix `whe_` */
  id: string;
  url: string;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds */
  updated_at: string;
  description: string | null;
  /** Empty for every event */
  event_types: ('analysis.completed' | 'analysis.failed' | 'analysis.canceled')[];
  status: 'active' | 'disabled';
  disabled_reason: string | null;
};

export type WebhookEndpointRequest = {
  url: string;
  description?: string | null;
  event_types?: ('analysis.completed' | 'analysis.failed' | 'analysis.canceled')[] | null;
};

export type WebhookEndpointUpdate = {
  url?: string;
  description?: string | null;
  event_types?: ('analysis.completed' | 'analysis.failed' | 'analysis.canceled')[] | null;
  status?: 'active' | 'disabled';
};

export type WebhookTestPayload = {
  type: 'webhook.test';
  /** UTC, ISO 8601 with milliseconds */
  timestamp: string;
  data: {
    job_id: null;
    status: 'test';
    /** Identifier with the prefix `whe_` */
    endpoint_id: string;
  };
};

export type WorkspaceDeletion = {
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  status: 'deleting';
  /** UTC, ISO 8601 with milliseconds */
  deleted_at: string;
};

export type WorkspaceEntry = {
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  workspace_name: string;
  role: WorkspaceRole;
  current: boolean;
  /** How many days finished analyses are kept; null for as long as the service keeps them */
  retention_days: number | null;
  /** How long audio is kept: `as_asked` (each submission decides with its own `retain_source`), `never`, a number of days after the analysis, or `forever` */
  retain_source: 'as_asked' | 'never' | 'forever' | number;
};

export type WorkspaceList = {
  workspaces: WorkspaceEntry[];
  set_aside: SetAsideWorkspace[];
};

export type WorkspaceRole = 'viewer' | 'member' | 'admin' | 'owner';

/** Omitted fields keep their value */
export type WorkspaceUpdate = {
  retention_days?: number | null;
  retain_source?: 'as_asked' | 'never' | 'forever' | number;
};

/** Every operation by its name: its request and its response. */
export type Operations = {
  getReferencePage: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: undefined;
  };
  getHealth: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: Health;
  };
  getLlmsText: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: undefined;
  };
  getOpenapiJson: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: unknown;
  };
  getOpenapiYaml: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: undefined;
  };
  getReadiness: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: Readiness;
  };
  getVersion: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: Version;
  };
  createAccountAnalysis: {
    params: undefined;
    query: undefined;
    body: AccountAnalysisRequest;
    response: AnalysisJob;
  };
  getAccountAnalysis: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    response: AnalysisJob;
  };
  listAccountAnalysisEvents: {
    params: {
      job_id: string;
    };
    query: {
      /** Page size */
      limit?: number;
      /** The id (`evt_…`) after which the page starts: the last one of the previous page */
      after?: string;
    };
    body: undefined;
    response: AnalysisEvent[] | undefined;
  };
  getAccountAnalysisResult: {
    params: {
      job_id: string;
    };
    query: {
      /** Comma-separated groups to return; the others are null, except `provenance` */
      groups?: string;
      /** Comma-separated parts to leave out: onsets become an empty list, the voice curve null, and the finest waveform level is dropped. `unavailable` lists them as `not_requested` */
      without?: string;
      /** Return what the engine detected, without corrections */
      as_heard?: boolean;
    };
    body: undefined;
    response: AnalysisResult;
  };
  createAnalysis: {
    params: undefined;
    query: undefined;
    body: AnalysisRequest;
    response: AnalysisJob;
  };
  listAnalyses: {
    params: undefined;
    query: {
      /** Words in title, artist, album, file name, tags and note. Case and accents are ignored, and the beginning of a word is enough */
      q?: string;
      bpm_min?: number;
      bpm_max?: number;
      /** Within 4 %, also at half or double tempo */
      bpm_near?: number;
      /** Any of these keys */
      key?: string[];
      /** A key, a Camelot number or the id of an analysis: finds songs in the same key, its neighbours on the Camelot wheel and its relative key */
      compatible_with?: string;
      energy_min?: number;
      energy_max?: number;
      danceability_min?: number;
      danceability_max?: number;
      valence_min?: number;
      valence_max?: number;
      /** LUFS */
      loudness_min?: number;
      /** LUFS */
      loudness_max?: number;
      /** Seconds */
      duration_min?: number;
      /** Seconds */
      duration_max?: number;
      /** Any of these */
      genre?: string[];
      /** Any of these */
      mood?: string[];
      /** All of these */
      instrument?: string[];
      /** All of these */
      tag?: string[];
      /** Whether there is a voice */
      voice?: 'yes' | 'no';
      /** Only songs in this collection */
      collection?: string;
      status?: 'queued' | 'processing' | 'completed' | 'failed' | 'canceled';
      /** In UTC unless it names a zone */
      created_after?: string;
      /** In UTC unless it names a zone */
      created_before?: string;
      /** Only songs analysed from exactly this file, to avoid sending it twice */
      sha256?: string;
      /** Recordings that occur more than once: `only` returns nothing else, `hide` returns each once */
      duplicates?: 'only' | 'hide';
      /** A minus sign reverses the order; songs without the value come last. The default is `-created_at` */
      sort?: 'created_at' | '-created_at' | 'title' | '-title' | 'artist' | '-artist' | 'bpm' | '-bpm' | 'key' | '-key' | 'energy' | '-energy' | 'danceability' | '-danceability' | 'loudness_lufs' | '-loudness_lufs' | 'duration_seconds' | '-duration_seconds';
      /** Page size */
      limit?: number;
      /** The cursor from the Link header of the previous page; valid with the same filter and sort */
      after?: string;
    };
    body: undefined;
    response: AnalysisJob[];
  };
  getAnalysis: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    response: AnalysisJob;
  };
  deleteAnalysis: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    response: Deleted;
  };
  describeAnalysis: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: SongDescription;
    response: AnalysisJob;
  };
  getArtifact: {
    params: {
      job_id: string;
      name: string;
    };
    query: undefined;
    body: undefined;
    response: undefined;
  };
  deleteArtifact: {
    params: {
      job_id: string;
      name: 'source';
    };
    query: undefined;
    body: undefined;
    response: Deleted;
  };
  cancelAnalysis: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    response: AnalysisJob;
  };
  listAnalysisEvents: {
    params: {
      job_id: string;
    };
    query: {
      /** Page size */
      limit?: number;
      /** The id (`evt_…`) after which the page starts: the last one of the previous page */
      after?: string;
    };
    body: undefined;
    response: AnalysisEvent[] | undefined;
  };
  exportAnalysis: {
    params: {
      job_id: string;
      format: 'jams' | 'audacity' | 'lab-beats' | 'lab-chords' | 'lab-sections' | 'midi' | 'rekordbox-xml' | 'chordpro' | 'musicxml' | 'csv' | 'audiowaveform-json' | 'audiowaveform-dat' | 'spotify-audio-analysis' | 'spotify-audio-features';
    };
    query: {
      /** Return what the engine detected, without corrections */
      as_heard?: boolean;
    };
    body: undefined;
    response: unknown;
  };
  getAnalysisResult: {
    params: {
      job_id: string;
    };
    query: {
      /** Comma-separated groups to return; the others are null, except `provenance` */
      groups?: string;
      /** Comma-separated parts to leave out: onsets become an empty list, the voice curve null, and the finest waveform level is dropped. `unavailable` lists them as `not_requested` */
      without?: string;
      /** Return what the engine detected, without corrections */
      as_heard?: boolean;
    };
    body: undefined;
    response: AnalysisResult;
  };
  createJobWebhookDelivery: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    response: JobWebhookDelivery;
  };
  changeAnalyses: {
    params: undefined;
    query: undefined;
    body: BulkRequest;
    response: BulkOutcome;
  };
  listNextAnalyses: {
    params: {
      job_id: string;
    };
    query: {
      /** Maximum number of songs */
      limit?: number;
    };
    body: undefined;
    response: NextSong[];
  };
  listSimilarAnalyses: {
    params: {
      job_id: string;
    };
    query: {
      /** Maximum number of songs */
      limit?: number;
      by?: 'sound' | 'harmony' | 'rhythm' | 'all';
    };
    body: undefined;
    response: SimilarSong[];
  };
  getSharedReport: {
    params: {
      token: string;
    };
    query: undefined;
    body: undefined;
    response: undefined;
  };
  getAccountCorrections: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    response: Correction;
  };
  replaceAccountCorrections: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: CorrectionRequest;
    response: Correction;
  };
  listShares: {
    params: {
      job_id: string;
    };
    query: {
      /** Page size */
      limit?: number;
      /** The id (`shr_…`) after which the page starts: the last one of the previous page */
      after?: string;
    };
    body: undefined;
    response: Share[];
  };
  createShare: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    response: NewShare;
  };
  revokeShare: {
    params: {
      job_id: string;
      share_id: string;
    };
    query: undefined;
    body: undefined;
    response: Revoked;
  };
  getCorrections: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    response: Correction;
  };
  replaceCorrections: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: CorrectionRequest;
    response: Correction;
  };
  removeCorrections: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    response: Correction;
  };
  listCollections: {
    params: undefined;
    query: {
      /** Page size */
      limit?: number;
      /** The id (`col_…`) after which the page starts: the last one of the previous page */
      after?: string;
    };
    body: undefined;
    response: CollectionSummary[];
  };
  createCollection: {
    params: undefined;
    query: undefined;
    body: NewCollection;
    response: Collection;
  };
  getCollection: {
    params: {
      collection_id: string;
    };
    query: undefined;
    body: undefined;
    response: Collection;
  };
  updateCollection: {
    params: {
      collection_id: string;
    };
    query: undefined;
    body: CollectionChange;
    response: Collection;
  };
  deleteCollection: {
    params: {
      collection_id: string;
    };
    query: undefined;
    body: undefined;
    response: Deleted;
  };
  exportCollection: {
    params: {
      collection_id: string;
    };
    query: {
      format: 'rekordbox' | 'traktor' | 'virtualdj' | 'serato' | 'm3u8' | 'csv' | 'jams' | 'chordpro';
      /** The folder of the files on your machine, for formats that contain paths */
      folder?: string;
    };
    body: undefined;
    response: undefined;
  };
  appendCollectionItems: {
    params: {
      collection_id: string;
    };
    query: undefined;
    body: CollectionItems;
    response: Collection;
  };
  replaceCollectionItems: {
    params: {
      collection_id: string;
    };
    query: undefined;
    body: CollectionItems;
    response: Collection;
  };
  proposeCollectionOrder: {
    params: {
      collection_id: string;
    };
    query: {
      by: 'harmonic' | 'energy' | 'bpm';
    };
    body: undefined;
    response: CollectionOrder;
  };
  exportAccount: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: undefined;
  };
  listReceivedInvitations: {
    params: undefined;
    query: {
      /** Page size */
      limit?: number;
      /** The id (`inv_…`) after which the page starts: the last one of the previous page */
      after?: string;
    };
    body: undefined;
    response: ReceivedInvitations;
  };
  acceptInvitation: {
    params: {
      invitation_id: string;
    };
    query: undefined;
    body: undefined;
    response: ReceivedInvitation;
  };
  declineInvitation: {
    params: {
      invitation_id: string;
    };
    query: undefined;
    body: undefined;
    response: ReceivedInvitation;
  };
  getProfile: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: Profile;
  };
  updateProfile: {
    params: undefined;
    query: undefined;
    body: ProfileUpdate;
    response: Profile;
  };
  getTeam: {
    params: undefined;
    query: {
      /** Page size */
      limit?: number;
      /** The id (`usr_…`) after which the page starts: the last one of the previous page */
      after?: string;
      /** The id (`inv_…`) after which the page starts: the last one of the previous page */
      invitations_after?: string;
    };
    body: undefined;
    response: Team;
  };
  createInvitation: {
    params: undefined;
    query: undefined;
    body: InvitationRequest;
    response: Invitation;
  };
  revokeInvitation: {
    params: {
      invitation_id: string;
    };
    query: undefined;
    body: undefined;
    response: Revoked;
  };
  updateMemberRole: {
    params: {
      user_id: string;
    };
    query: undefined;
    body: RoleUpdate;
    response: UpdatedMember;
  };
  removeMember: {
    params: {
      user_id: string;
    };
    query: undefined;
    body: undefined;
    response: RemovedMember;
  };
  transferOwnership: {
    params: {
      user_id: string;
    };
    query: undefined;
    body: undefined;
    response: OwnershipTransfer;
  };
  listWorkspaces: {
    params: undefined;
    query: {
      /** Page size */
      limit?: number;
      /** The id (`ws_…`) after which the page starts: the last one of the previous page */
      after?: string;
    };
    body: undefined;
    response: WorkspaceList;
  };
  updateWorkspace: {
    params: {
      workspace_id: string;
    };
    query: undefined;
    body: WorkspaceUpdate;
    response: WorkspaceEntry;
  };
  deleteWorkspace: {
    params: {
      workspace_id: string;
    };
    query: {
      /** The name of the workspace */
      confirm?: string;
    };
    body: undefined;
    response: WorkspaceDeletion;
  };
  claimWorkspace: {
    params: {
      workspace_id: string;
    };
    query: undefined;
    body: undefined;
    response: Profile;
  };
  exportWorkspace: {
    params: {
      workspace_id: string;
    };
    query: undefined;
    body: undefined;
    response: undefined;
  };
  switchWorkspace: {
    params: {
      workspace_id: string;
    };
    query: undefined;
    body: undefined;
    response: Profile;
  };
  startSignIn: {
    params: undefined;
    query: undefined;
    body: SignInStart;
    response: SignInChallenge;
  };
  verifySignIn: {
    params: undefined;
    query: undefined;
    body: SignInVerification;
    response: SignedInSession;
  };
  signOut: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: Revoked;
  };
  registerAccount: {
    params: undefined;
    query: undefined;
    body: RegistrationRequest;
    response: Registration;
  };
  getSession: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: Session;
  };
  verifyEmail: {
    params: undefined;
    query: undefined;
    body: EmailVerificationRequest;
    response: EmailVerification;
  };
  getEmailVerificationPage: {
    params: undefined;
    query: {
      token?: string;
    };
    body: undefined;
    response: undefined;
  };
  submitEmailVerificationPage: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: undefined;
  };
  listApiKeys: {
    params: undefined;
    query: {
      /** Page size */
      limit?: number;
      /** The id (`key_…`) after which the page starts: the last one of the previous page */
      after?: string;
    };
    body: undefined;
    response: ApiKey[];
  };
  createApiKey: {
    params: undefined;
    query: undefined;
    body: ApiKeyRequest;
    response: NewApiKey;
  };
  revokeApiKey: {
    params: {
      api_key_id: string;
    };
    query: undefined;
    body: undefined;
    response: Revoked;
  };
  listAuditEvents: {
    params: undefined;
    query: {
      /** Page size */
      limit?: number;
      /** The id (`aud_…`) after which the page starts: the last one of the previous page */
      after?: string;
    };
    body: undefined;
    response: AuditEvent[];
  };
  createStorageObject: {
    params: undefined;
    query: undefined;
    body: StorageObjectRequest;
    response: StorageObject;
  };
  uploadStorageObject: {
    params: {
      storage_object_id: string;
    };
    query: {
      /** From the `signed_url` */
      expires: string;
      /** From the `signed_url` */
      signature: string;
    };
    body: undefined;
    response: StoredObject;
  };
  getUsage: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: Usage | KeyUsage;
  };
  getPlanChange: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    response: undefined;
  };
  submitPlanChange: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    response: undefined;
  };
  getSandboxCheckout: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    response: undefined;
  };
  submitSandboxCheckout: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    response: undefined;
  };
  getSandboxPortal: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    response: undefined;
  };
  submitSandboxPortal: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    response: undefined;
  };
  getSandboxInvoice: {
    params: {
      session_id: string;
      invoice_id: string;
    };
    query: undefined;
    body: undefined;
    response: undefined;
  };
  createCheckoutSession: {
    params: undefined;
    query: undefined;
    body: CheckoutRequest;
    response: CheckoutSession;
  };
  receivePaymentEvent: {
    params: undefined;
    query: undefined;
    body: unknown;
    response: PaymentEventReceipt;
  };
  listPlans: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: PlanList;
  };
  createPortalSession: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: PortalSession;
  };
  getBillingStatus: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: BillingStatus | KeyBillingStatus;
  };
  receiveStripeEvent: {
    params: undefined;
    query: undefined;
    body: unknown;
    response: PaymentEventReceipt;
  };
  receivePaymentCallback: {
    params: undefined;
    query: undefined;
    body: unknown;
    response: PaymentEventReceipt;
  };
  receiveStripeCallback: {
    params: undefined;
    query: undefined;
    body: unknown;
    response: PaymentEventReceipt;
  };
  listWebhookDeliveries: {
    params: undefined;
    query: {
      /** Page size */
      limit?: number;
      /** The id (`whd_…`) after which the page starts: the last one of the previous page */
      after?: string;
    };
    body: undefined;
    response: WebhookDelivery[];
  };
  deliverWebhooks: {
    params: undefined;
    query: {
      /** Include deliveries that wait for a later attempt or have failed permanently */
      force?: boolean;
    };
    body: undefined;
    response: DeliverySummary;
  };
  listWebhookEndpoints: {
    params: undefined;
    query: {
      /** Page size */
      limit?: number;
      /** The id (`whe_…`) after which the page starts: the last one of the previous page */
      after?: string;
    };
    body: undefined;
    response: WebhookEndpoint[];
  };
  createWebhookEndpoint: {
    params: undefined;
    query: undefined;
    body: WebhookEndpointRequest;
    response: NewWebhookEndpoint;
  };
  getWebhookEndpoint: {
    params: {
      endpoint_id: string;
    };
    query: undefined;
    body: undefined;
    response: WebhookEndpoint;
  };
  updateWebhookEndpoint: {
    params: {
      endpoint_id: string;
    };
    query: undefined;
    body: WebhookEndpointUpdate;
    response: WebhookEndpoint;
  };
  deleteWebhookEndpoint: {
    params: {
      endpoint_id: string;
    };
    query: undefined;
    body: undefined;
    response: DeletedEndpoint;
  };
  rotateWebhookSecret: {
    params: {
      endpoint_id: string;
    };
    query: undefined;
    body: undefined;
    response: SigningSecret;
  };
  testWebhookEndpoint: {
    params: {
      endpoint_id: string;
    };
    query: undefined;
    body: undefined;
    response: WebhookDelivery;
  };
  getDefaultSigningSecret: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: SigningSecret;
  };
  rotateDefaultSigningSecret: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: SigningSecret;
  };
  getKeyAnalysis: {
    params: {
      job_id: string;
    };
    query: {
      /** Return what the engine detected, without corrections */
      as_heard?: boolean;
    };
    body: undefined;
    response: KeyAnalysis;
  };
  getKeyAnalysisFull: {
    params: {
      job_id: string;
    };
    query: {
      /** Return what the engine detected, without corrections */
      as_heard?: boolean;
    };
    body: undefined;
    response: KeyAnalysisFull;
  };
  listKeyAnalysisWebhooks: {
    params: {
      job_id: string;
    };
    query: {
      /** Page size */
      limit?: number;
      /** The id (`att_…`) after which the page starts: the last one of the previous page */
      after?: string;
    };
    body: undefined;
    response: WebhookAttempts;
  };
  analyzeBatch: {
    params: undefined;
    query: undefined;
    body: BatchRequest;
    response: AcceptedBatch;
  };
  analyzeUpload: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: AcceptedAnalysis;
  };
  analyzeUrl: {
    params: undefined;
    query: undefined;
    body: UrlAnalysisRequest;
    response: AcceptedAnalysis;
  };
  createBatch: {
    params: undefined;
    query: undefined;
    body: BatchRequest;
    response: AcceptedBatch;
  };
  getDemoAnalysis: {
    params: {
      job_id: string;
    };
    query: {
      /** From the `poll_url` */
      token?: string;
    };
    body: undefined;
    response: KeyAnalysisFull;
  };
  analyzeDemoUpload: {
    params: undefined;
    query: undefined;
    body: undefined;
    response: AcceptedDemo;
  };
  analyzeDemoUrl: {
    params: undefined;
    query: undefined;
    body: DemoRequest;
    response: AcceptedDemo;
  };
  callMcp: {
    params: undefined;
    query: undefined;
    body: JsonRpcMessage;
    response: JsonRpcAnswer | undefined;
  };
};
