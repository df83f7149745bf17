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
  /** As the header `Idempotency-Key`; where both are given they must agree */
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
    /** As it was given with the job */
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
    /** As it was given with the job */
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
    /** As it was given with the job */
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

/** What the caller already knows; each narrows the search */
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
  /** The address given; for an upload `storage://<bucket>/<key>` of its storage object */
  source_url: string;
  idempotent_replay: boolean;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds */
  updated_at: string;
  storage_object_id: string | null;
  webhook_url: string | null;
  /** Null: all */
  features: ('rhythm' | 'tonal' | 'structure' | 'loudness' | 'quality' | 'timbre' | 'content' | 'waveform' | 'fingerprint' | 'tags')[] | null;
  metadata: Record<string, string>;
  stage: string | null;
  progress: number;
  attempt: number;
  started_at: string | null;
  completed_at: string | null;
  error: AnalysisFailure | null;
  /** As the upload was called */
  file_name: string | null;
  /** Whether the audio is kept once the analysis has ended */
  retain_source: boolean;
  /** Whether the audio is here: it can be played (`artifacts/source`) and analysed again */
  source_available: boolean;
  /** When the retention of the workspace deletes the audio; null: it does not */
  source_expires_at: string | null;
  /** Null until it is completed */
  headline: JobHeadline | null;
};

export type AnalysisRequest = {
  source_url?: string | null;
  storage_object_id?: string | null;
  webhook_url?: string | null;
  /** All unless given. `file` and `provenance` are always there */
  features?: ('file' | 'rhythm' | 'tonal' | 'structure' | 'loudness' | 'quality' | 'timbre' | 'content' | 'waveform' | 'fingerprint' | 'tags' | 'provenance')[] | null;
  hints?: AnalysisHints | null;
  /** At most 16 pairs of text, echoed with the job */
  metadata?: Record<string, string> | null;
  enrich?: 'acoustid'[] | null;
  /** Whether to keep the audio after the analysis. Left out, the workspace decides; one that never keeps audio does not keep this either */
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
  /** To the minute */
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

/** Single beats of the grid as it is after tempo and bars; a beat is named by its time */
export type BeatEdits = {
  /** Seconds */
  remove?: number[] | null;
  move?: {
    from_seconds: number;
    to_seconds: number;
  }[] | null;
  /** Seconds */
  add?: number[] | null;
};

export type BillingState = 'active' | 'past_due' | 'canceled';

export type BillingStatus = {
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  plan: 'free' | 'pro' | 'scale';
  status: BillingState;
  local_credit_balance: number;
  /** Until then a failed payment keeps the limits of the plan */
  grace_until: string | null;
};

export type BulkOutcome = {
  action: 'tag' | 'untag' | 'delete' | 'add_to_collection' | 'analyse_again' | 'export';
  /** How many songs were meant */
  matched: number;
  /** How many of them were not so already */
  changed: number;
  /** The new analyses, for `analyse_again`; otherwise empty */
  job_ids: string[];
};

export type BulkRequest = {
  ids?: string[] | null;
  /** Every song that this filter finds, 10000 at most (500 to delete, analyse again or export) */
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

/** Send the person to `url` */
export type CheckoutSession = {
  id: string;
  url: string;
  /** For a workspace that pays already: what the change costs for the rest of the month */
  proration: {
    /** In the smallest unit of the currency, billed at once; below zero it is credited to the next invoice */
    amount_due: number;
    currency: string;
  } | null;
};

export type Chord = {
  start_seconds: number;
  end_seconds: number;
  /** Harte syntax */
  label: string;
  roman: string | null;
  bar: number | null;
  beat: number | null;
  confidence: number;
};

export type Collection = {
  /** Identifier with the prefix `col_` */
  id: string;
  name: string;
  description: string | null;
  /** Raised by every change; `ETag` is this number in quotes */
  version: number;
  item_count: number;
  /** Of all its songs together */
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
  /** Ids of analyses, in order, each once */
  items: string[];
};

/** A proposal: nothing is changed */
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
    /** Why it comes here, in words */
    reason: string;
    /** What brings it to the tempo of the song before, half and double allowed */
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
  /** Raised by every change; `ETag` is this number in quotes */
  version: number;
  item_count: number;
  /** Of all its songs together */
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
  /** The same letter is the same music */
  group?: string | null;
};

/** What a person said is true; all null when nobody has */
export type Correction = {
  /** Identifier with the prefix `job_` */
  job_id: string;
  /** What is corrected */
  kinds: ('tempo' | 'bars' | 'beats' | 'key' | 'chords' | 'sections')[];
  tempo: 'double' | 'half' | 'triple' | 'third' | number | null;
  /** The true tempo that `tempo` comes to */
  bpm: number | null;
  first_downbeat_seconds: number | null;
  shift_beats: number | null;
  beats_per_bar: number | null;
  key: string | null;
  /** As it was said */
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

/** The summary, flat, and beside it every group */
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
  /** What of this a person has corrected; null when it is all as heard */
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

/** What one looks for first in a list of songs */
export type JobHeadline = {
  duration_seconds: number;
  bpm: number | null;
  key_notation: string | null;
  camelot: string | null;
  loudness_lufs: number | null;
  /** As people wrote it, as the file has it, or the name of the file */
  title: string | null;
  artist: string | null;
  album: string | null;
  /** As the file has it, or the first suggestion */
  genre: string | null;
  mood: string | null;
  energy: number | null;
  danceability: number | null;
  valence: number | null;
  /** Whether somebody sings; null where we cannot tell */
  voice: boolean | null;
  /** Whether the file has a cover */
  artwork: boolean;
  tags: string[];
  note: string | null;
  rating: number | null;
  /** 120 peaks over the length of the song */
  waveform: number[] | null;
  /** The first analysis of the same recording, when this is not it */
  same_recording_as: string | null;
  /** Whether a person has corrected something */
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
  /** The last one sent; before the first attempt, the one that will be */
  signature: string;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** Null for a job's own webhook_url */
  endpoint_id: string | null;
  url: string;
  next_attempt_at: string | null;
  last_status_code: number | null;
  last_error: string | null;
  /** What is sent, byte for byte: what the signature is over */
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
  /** Absent in an answer */
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
  /** Why it failed, as a sentence */
  error: string | null;
  /** The same for a program */
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
  /** Why it failed, as a sentence */
  error: string | null;
  /** The same for a program */
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
  /** Analyses beyond the included ones, billed one by one */
  overage: number;
};

/** A word of the published taxonomy */
export type NamedTag = {
  label: string;
  confidence: number;
  /** Sections in which it holds */
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
  /** The key itself, told once */
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
  /** Id of the person or key */
  created_by: string;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  revoked_at: string | null;
  /** The link, told once */
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
  /** Empty: every event */
  event_types: ('analysis.completed' | 'analysis.failed' | 'analysis.canceled')[];
  status: 'active' | 'disabled';
  disabled_reason: string | null;
  /** `whsec_…`, told once */
  signing_secret: string;
};

export type NextSong = {
  job: AnalysisJob;
  score: number;
  key_relation: string | null;
  /** What brings it to the tempo of the song before; half and double allowed, never beyond 8 % */
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
    /** Of audio and reports kept at a time */
    storage_bytes: number;
    /** Goes on beyond the month's analyses, and bills each */
    overage: boolean;
    /** Null of the free plan, and where this service has no payment provider */
    price: {
      /** A month, in the smallest unit of the currency */
      amount: number;
      currency: string;
    } | null;
  }[];
};

/** Send the person to `url` */
export type PortalSession = {
  id: string;
  url: string;
};

export type Problem = {
  /** A sentence a person can act on */
  detail: string;
  code: 'unauthorized' | 'email_not_verified' | 'insufficient_role' | 'insufficient_scope' | 'cross_origin_cookie' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'quota_exceeded' | 'email_exists' | 'conflict' | 'already_finished' | 'not_finished' | 'no_webhook_endpoint' | 'owner_required' | 'already_member' | 'already_invited' | 'object_not_uploaded' | 'object_already_uploaded' | 'endpoint_disabled' | 'subscription_exists' | 'payments_not_configured' | 'idempotency_key_reused' | 'idempotency_in_progress' | 'gone' | 'precondition_failed' | 'payload_too_large' | 'storage_quota_exceeded' | 'unsupported_media' | 'bad_signature' | 'bad_request' | 'too_many_attempts' | 'rate_limited' | 'internal' | 'payment_provider_failed' | 'unavailable' | 'overloaded' | 'storage_full';
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
  /** The key itself, told once */
  api_key: string;
  /** Identifier with the prefix `key_` */
  api_key_id: string;
  prefix: string;
  tier: 'free' | 'pro' | 'scale';
  email_verified: boolean;
  verification_required: boolean;
  /** Signs the calls to a `webhook_url` given with a job (`whsec_…`) */
  webhook_signing_secret: string;
  /** The token of the verification mail, only while no mail transport is configured */
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
  voice_presence: number | null;
  voice_presence_confidence: number | null;
  voice_spans?: {
    start_seconds: number;
    end_seconds: number;
    kind: 'sung' | 'rapped' | 'spoken';
    confidence: number;
  }[];
  /** Probability of a voice in every tenth of a second */
  voice_curve?: Curve | null;
};

export type ResultCorrections = {
  /** What is corrected */
  kinds: ('tempo' | 'bars' | 'beats' | 'key' | 'chords' | 'sections')[];
  heard: {
    bpm: number | null;
    time_signature: number | null;
    first_downbeat_seconds: number | null;
    key_notation: string | null;
    camelot: string | null;
  };
  note: string | null;
  /** Id of the person, or of the person whose key it was */
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
  /** title, artist, album, isrc, … as the file has them */
  tags: Record<string, unknown>;
  cover_art_present: boolean | null;
};

export type ResultFingerprint = {
  chromaprint: string | null;
  chromaprint_duration_seconds: number;
  embedding: number[] | null;
  /** Of the layout; absent means 1. Vectors of two versions are not to be compared */
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
    gain_db: number | null;
    true_peak_after_dbtp: number | null;
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
    /** Counted from 0; null when all channels share it */
    channel: number | null;
    /** 0 to 1, by kind. Clipping: the share of its time that is cut off. Dropout: the lower of the peaks on both sides of the hole. Silence: its length in tens of seconds. Click: the second difference of the samples, twice the height of a single wrong one. Full scale is 1, and nothing is more */
    severity: number;
  }[];
  /** All of them, also those beyond the listed ones */
  event_counts: {
    clipping: number;
    dropout: number;
    silence: number;
    click: number;
  };
  dc_offset: number[];
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
    correlation: number;
    width: number;
    correlation_curve: Curve;
    width_curve: Curve;
    mono_loss_db: number;
    imbalance_db: number;
    phase_inverted: boolean;
  } | null;
  non_finite_samples: number;
};

export type ResultRhythm = {
  /** Unrounded, from the beats */
  bpm: number | null;
  confidence: number | null;
  alternatives: {
    bpm: number;
    weight: number;
  }[];
  /** 0 to 1; 1 is a metronome */
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
    strength: number;
  }[];
  onset_rate_hz: number;
  swing: {
    /** 0.5 straight, 0.667 triplet swing */
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
  /** What of this a person has corrected; null when it is all as heard */
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
  tuning_hz: number | null;
  tuning_cents: number | null;
  /** Major, minor and no chord */
  chords: Chord[];
  chords_sevenths: Chord[];
  /** Mean chroma from C, largest value 1 */
  chroma: number[];
};

/** Each level in audiowaveform's JSON form, finest first */
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
  /** A, B, … for repetition */
  group: string;
  confidence: number;
  start_bar: number | null;
  bpm: number | null;
  key: string | null;
  loudness_lufs: number | null;
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

/** What was made under this address before anybody had proved it. You are not in it, and its keys do not work. */
export type SetAsideWorkspace = {
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  /** UTC, ISO 8601 with milliseconds */
  registered_at: string;
  api_keys: number;
  webhook_endpoints: number;
  analyses: number;
  /** Unless it is claimed before */
  erased_at: string;
};

export type Share = {
  /** Identifier with the prefix `shr_` */
  id: string;
  /** Identifier with the prefix `job_` */
  job_id: string;
  /** Id of the person or key */
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
  /** The code itself, only while no mail transport is configured */
  dev_code: string | null;
  /** UTC, ISO 8601 with milliseconds */
  expires_at: string;
};

export type SignInStart = {
  email: string;
};

export type SignInVerification = {
  challenge_id: string;
  /** The six digits */
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
  /** When this sign-in was the first proof of an address that somebody had registered */
  set_aside: SetAsideWorkspace | null;
};

export type SigningSecret = {
  signing_secret: string;
  /** Until then every call is also signed with the secret before this one */
  previous_secret_expires_at: string | null;
};

export type SimilarSong = {
  job: AnalysisJob;
  /** 1 for the song itself */
  similarity: number;
  reason: string;
};

/** What is left out stays; null gives back what the file says */
export type SongDescription = {
  title?: string | null;
  artist?: string | null;
  album?: string | null;
  /** All of them; at most 50 */
  tags?: string[] | null;
  note?: string | null;
  rating?: number | null;
};

export type SongFilter = {
  /** Words in title, artist, album, file name, tags and note; case and accents do not matter, the beginning of a word is enough */
  q?: string;
  bpm_min?: number;
  bpm_max?: number;
  /** Within 4 %; half and double count too */
  bpm_near?: number;
  /** One of these keys */
  key?: string[];
  /** A key, a Camelot number or the id of an analysis: songs in its key, its neighbours on the wheel, its relative */
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
  /** Whether somebody sings */
  voice?: 'yes' | 'no';
  /** Only songs of this collection */
  collection?: string;
  status?: 'queued' | 'processing' | 'completed' | 'failed' | 'canceled';
  /** UTC unless it names a zone */
  created_after?: string;
  /** UTC unless it names a zone */
  created_before?: string;
  /** Songs made from exactly this file: ask before you send it again */
  sha256?: string;
  /** Recordings that are there more than once: only those, or each once */
  duplicates?: 'only' | 'hide';
};

export type StorageObject = {
  /** Identifier with the prefix `obj_` */
  id: string;
  bucket: string;
  key: string;
  /** Takes one PUT of the file with the same content type */
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
  /** Files that wait, retained sources, reports, and uploads under way */
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
  /** All unless given. `file` and `provenance` are always there */
  features?: ('file' | 'rhythm' | 'tonal' | 'structure' | 'loudness' | 'quality' | 'timbre' | 'content' | 'waveform' | 'fingerprint' | 'tags' | 'provenance')[] | null;
  hints?: AnalysisHints | null;
  /** At most 16 pairs of text, echoed with the job */
  metadata?: Record<string, string> | null;
  enrich?: 'acoustid'[] | null;
  /** Whether to keep the audio after the analysis. Left out, the workspace decides; one that never keeps audio does not keep this either */
  retain_source?: boolean | null;
};

export type UrlAnalysisRequest = {
  url: string;
  webhook_url?: string | null;
  /** All unless given. `file` and `provenance` are always there */
  features?: ('file' | 'rhythm' | 'tonal' | 'structure' | 'loudness' | 'quality' | 'timbre' | 'content' | 'waveform' | 'fingerprint' | 'tags' | 'provenance')[] | null;
  hints?: AnalysisHints | null;
  /** At most 16 pairs of text, echoed with the job */
  metadata?: Record<string, string> | null;
  enrich?: 'acoustid'[] | null;
  /** Whether to keep the audio after the analysis. Left out, the workspace decides; one that never keeps audio does not keep this either */
  retain_source?: boolean | null;
};

export type Usage = {
  /** Identifier with the prefix `ws_` */
  workspace_id: string;
  local_analysis_jobs: number;
  /** Credits used this month */
  local_analysis_credits: number;
  provider_enrichment_jobs: number;
  /** Days of the month with use, in order; together they are the credits used */
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
  /** Where: `body`, `query`, `path` or `header`, then the way down */
  loc: string[];
  msg: string;
  /** What was given there */
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

/** How loud lows (to 200 Hz), mids and highs (from 2 kHz) are over time; 255 is the loudest moment of each */
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
  /** The last one sent; before the first attempt, the one that will be */
  signature: string;
  /** UTC, ISO 8601 with milliseconds */
  created_at: string;
  /** Null for a job's own webhook_url */
  endpoint_id: string | null;
  url: string;
  next_attempt_at: string | null;
  last_status_code: number | null;
  last_error: string | null;
  /** What is sent, byte for byte: what the signature is over */
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
  /** Empty: every event */
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
  /** Days that finished analyses are kept; null: as long as the service keeps them */
  retention_days: number | null;
  /** How long the audio of songs is kept: `as_asked` (what each submission says with its own `retain_source`), `never`, days after the analysis, or `forever` */
  retain_source: 'as_asked' | 'never' | 'forever' | number;
};

export type WorkspaceList = {
  workspaces: WorkspaceEntry[];
  set_aside: SetAsideWorkspace[];
};

export type WorkspaceRole = 'viewer' | 'member' | 'admin' | 'owner';

/** What is left out stays */
export type WorkspaceUpdate = {
  retention_days?: number | null;
  retain_source?: 'as_asked' | 'never' | 'forever' | number;
};

/** Every operation by its name: what it takes and what it answers. */
export type Operations = {
  getReferencePage: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  getHealth: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: Health;
  };
  getLlmsText: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  getOpenapiJson: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: unknown;
  };
  getOpenapiYaml: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  getReadiness: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: Readiness;
  };
  getVersion: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: Version;
  };
  createAccountAnalysis: {
    params: undefined;
    query: undefined;
    body: AccountAnalysisRequest;
    answer: AnalysisJob;
  };
  getAccountAnalysis: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    answer: AnalysisJob;
  };
  listAccountAnalysisEvents: {
    params: {
      job_id: string;
    };
    query: {
      /** How many at most; 50 unless given */
      limit?: number;
      /** The id (`evt_…`) after which the page starts: the last of the page before */
      after?: string;
    };
    body: undefined;
    answer: AnalysisEvent[] | undefined;
  };
  getAccountAnalysisResult: {
    params: {
      job_id: string;
    };
    query: {
      /** Only these groups of the result, separated by commas; the others are null */
      groups?: string;
      /** The result without these parts, separated by commas: a list is empty, a curve null, the finest of the levels not among them; `unavailable` says `not_requested` */
      without?: string;
      /** What the engine said, without corrections */
      as_heard?: boolean;
    };
    body: undefined;
    answer: AnalysisResult;
  };
  createAnalysis: {
    params: undefined;
    query: undefined;
    body: AnalysisRequest;
    answer: AnalysisJob;
  };
  listAnalyses: {
    params: undefined;
    query: {
      /** Words in title, artist, album, file name, tags and note; case and accents do not matter, the beginning of a word is enough */
      q?: string;
      bpm_min?: number;
      bpm_max?: number;
      /** Within 4 %; half and double count too */
      bpm_near?: number;
      /** One of these keys */
      key?: string[];
      /** A key, a Camelot number or the id of an analysis: songs in its key, its neighbours on the wheel, its relative */
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
      /** Whether somebody sings */
      voice?: 'yes' | 'no';
      /** Only songs of this collection */
      collection?: string;
      status?: 'queued' | 'processing' | 'completed' | 'failed' | 'canceled';
      /** UTC unless it names a zone */
      created_after?: string;
      /** UTC unless it names a zone */
      created_before?: string;
      /** Songs made from exactly this file: ask before you send it again */
      sha256?: string;
      /** Recordings that are there more than once: only those, or each once */
      duplicates?: 'only' | 'hide';
      /** A minus turns it round; songs without the value come last. `-created_at` unless given */
      sort?: 'created_at' | '-created_at' | 'title' | '-title' | 'artist' | '-artist' | 'bpm' | '-bpm' | 'key' | '-key' | 'energy' | '-energy' | 'danceability' | '-danceability' | 'loudness_lufs' | '-loudness_lufs' | 'duration_seconds' | '-duration_seconds';
      /** How many at most; 50 unless given */
      limit?: number;
      /** Where the page before ended, from its Link header; holds for the same filter and sort */
      after?: string;
    };
    body: undefined;
    answer: AnalysisJob[];
  };
  getAnalysis: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    answer: AnalysisJob;
  };
  deleteAnalysis: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    answer: Deleted;
  };
  describeAnalysis: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: SongDescription;
    answer: AnalysisJob;
  };
  getArtifact: {
    params: {
      job_id: string;
      name: string;
    };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  deleteArtifact: {
    params: {
      job_id: string;
      name: 'source';
    };
    query: undefined;
    body: undefined;
    answer: Deleted;
  };
  cancelAnalysis: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    answer: AnalysisJob;
  };
  listAnalysisEvents: {
    params: {
      job_id: string;
    };
    query: {
      /** How many at most; 50 unless given */
      limit?: number;
      /** The id (`evt_…`) after which the page starts: the last of the page before */
      after?: string;
    };
    body: undefined;
    answer: AnalysisEvent[] | undefined;
  };
  exportAnalysis: {
    params: {
      job_id: string;
      format: 'jams' | 'audacity' | 'lab-beats' | 'lab-chords' | 'lab-sections' | 'midi' | 'rekordbox-xml' | 'chordpro' | 'musicxml' | 'csv' | 'audiowaveform-json' | 'audiowaveform-dat' | 'spotify-audio-analysis' | 'spotify-audio-features';
    };
    query: {
      /** What the engine said, without corrections */
      as_heard?: boolean;
    };
    body: undefined;
    answer: unknown;
  };
  getAnalysisResult: {
    params: {
      job_id: string;
    };
    query: {
      /** Only these groups of the result, separated by commas; the others are null */
      groups?: string;
      /** The result without these parts, separated by commas: a list is empty, a curve null, the finest of the levels not among them; `unavailable` says `not_requested` */
      without?: string;
      /** What the engine said, without corrections */
      as_heard?: boolean;
    };
    body: undefined;
    answer: AnalysisResult;
  };
  createJobWebhookDelivery: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    answer: JobWebhookDelivery;
  };
  changeAnalyses: {
    params: undefined;
    query: undefined;
    body: BulkRequest;
    answer: BulkOutcome;
  };
  listNextAnalyses: {
    params: {
      job_id: string;
    };
    query: {
      /** How many at most; 20 unless given */
      limit?: number;
    };
    body: undefined;
    answer: NextSong[];
  };
  listSimilarAnalyses: {
    params: {
      job_id: string;
    };
    query: {
      /** How many at most; 20 unless given */
      limit?: number;
      by?: 'sound' | 'harmony' | 'rhythm' | 'all';
    };
    body: undefined;
    answer: SimilarSong[];
  };
  getSharedReport: {
    params: {
      token: string;
    };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  getAccountCorrections: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    answer: Correction;
  };
  replaceAccountCorrections: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: CorrectionRequest;
    answer: Correction;
  };
  listShares: {
    params: {
      job_id: string;
    };
    query: {
      /** How many at most; 50 unless given */
      limit?: number;
      /** The id (`shr_…`) after which the page starts: the last of the page before */
      after?: string;
    };
    body: undefined;
    answer: Share[];
  };
  createShare: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    answer: NewShare;
  };
  revokeShare: {
    params: {
      job_id: string;
      share_id: string;
    };
    query: undefined;
    body: undefined;
    answer: Revoked;
  };
  getCorrections: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    answer: Correction;
  };
  replaceCorrections: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: CorrectionRequest;
    answer: Correction;
  };
  removeCorrections: {
    params: {
      job_id: string;
    };
    query: undefined;
    body: undefined;
    answer: Correction;
  };
  listCollections: {
    params: undefined;
    query: {
      /** How many at most; 50 unless given */
      limit?: number;
      /** The id (`col_…`) after which the page starts: the last of the page before */
      after?: string;
    };
    body: undefined;
    answer: CollectionSummary[];
  };
  createCollection: {
    params: undefined;
    query: undefined;
    body: NewCollection;
    answer: Collection;
  };
  getCollection: {
    params: {
      collection_id: string;
    };
    query: undefined;
    body: undefined;
    answer: Collection;
  };
  updateCollection: {
    params: {
      collection_id: string;
    };
    query: undefined;
    body: CollectionChange;
    answer: Collection;
  };
  deleteCollection: {
    params: {
      collection_id: string;
    };
    query: undefined;
    body: undefined;
    answer: Deleted;
  };
  exportCollection: {
    params: {
      collection_id: string;
    };
    query: {
      format: 'rekordbox' | 'traktor' | 'virtualdj' | 'serato' | 'm3u8' | 'csv' | 'jams' | 'chordpro';
      /** Where the files lie on your machine, for formats that name them */
      folder?: string;
    };
    body: undefined;
    answer: undefined;
  };
  appendCollectionItems: {
    params: {
      collection_id: string;
    };
    query: undefined;
    body: CollectionItems;
    answer: Collection;
  };
  replaceCollectionItems: {
    params: {
      collection_id: string;
    };
    query: undefined;
    body: CollectionItems;
    answer: Collection;
  };
  proposeCollectionOrder: {
    params: {
      collection_id: string;
    };
    query: {
      by: 'harmonic' | 'energy' | 'bpm';
    };
    body: undefined;
    answer: CollectionOrder;
  };
  exportAccount: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  listReceivedInvitations: {
    params: undefined;
    query: {
      /** How many at most; 50 unless given */
      limit?: number;
      /** The id (`inv_…`) after which the page starts: the last of the page before */
      after?: string;
    };
    body: undefined;
    answer: ReceivedInvitations;
  };
  acceptInvitation: {
    params: {
      invitation_id: string;
    };
    query: undefined;
    body: undefined;
    answer: ReceivedInvitation;
  };
  declineInvitation: {
    params: {
      invitation_id: string;
    };
    query: undefined;
    body: undefined;
    answer: ReceivedInvitation;
  };
  getProfile: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: Profile;
  };
  updateProfile: {
    params: undefined;
    query: undefined;
    body: ProfileUpdate;
    answer: Profile;
  };
  getTeam: {
    params: undefined;
    query: {
      /** How many at most; 50 unless given */
      limit?: number;
      /** The id (`usr_…`) after which the page starts: the last of the page before */
      after?: string;
      /** The id (`inv_…`) after which the page starts: the last of the page before */
      invitations_after?: string;
    };
    body: undefined;
    answer: Team;
  };
  createInvitation: {
    params: undefined;
    query: undefined;
    body: InvitationRequest;
    answer: Invitation;
  };
  revokeInvitation: {
    params: {
      invitation_id: string;
    };
    query: undefined;
    body: undefined;
    answer: Revoked;
  };
  updateMemberRole: {
    params: {
      user_id: string;
    };
    query: undefined;
    body: RoleUpdate;
    answer: UpdatedMember;
  };
  removeMember: {
    params: {
      user_id: string;
    };
    query: undefined;
    body: undefined;
    answer: RemovedMember;
  };
  transferOwnership: {
    params: {
      user_id: string;
    };
    query: undefined;
    body: undefined;
    answer: OwnershipTransfer;
  };
  listWorkspaces: {
    params: undefined;
    query: {
      /** How many at most; 50 unless given */
      limit?: number;
      /** The id (`ws_…`) after which the page starts: the last of the page before */
      after?: string;
    };
    body: undefined;
    answer: WorkspaceList;
  };
  updateWorkspace: {
    params: {
      workspace_id: string;
    };
    query: undefined;
    body: WorkspaceUpdate;
    answer: WorkspaceEntry;
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
    answer: WorkspaceDeletion;
  };
  claimWorkspace: {
    params: {
      workspace_id: string;
    };
    query: undefined;
    body: undefined;
    answer: Profile;
  };
  exportWorkspace: {
    params: {
      workspace_id: string;
    };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  switchWorkspace: {
    params: {
      workspace_id: string;
    };
    query: undefined;
    body: undefined;
    answer: Profile;
  };
  startSignIn: {
    params: undefined;
    query: undefined;
    body: SignInStart;
    answer: SignInChallenge;
  };
  verifySignIn: {
    params: undefined;
    query: undefined;
    body: SignInVerification;
    answer: SignedInSession;
  };
  signOut: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: Revoked;
  };
  registerAccount: {
    params: undefined;
    query: undefined;
    body: RegistrationRequest;
    answer: Registration;
  };
  getSession: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: Session;
  };
  verifyEmail: {
    params: undefined;
    query: undefined;
    body: EmailVerificationRequest;
    answer: EmailVerification;
  };
  getEmailVerificationPage: {
    params: undefined;
    query: {
      token?: string;
    };
    body: undefined;
    answer: undefined;
  };
  submitEmailVerificationPage: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  listApiKeys: {
    params: undefined;
    query: {
      /** How many at most; 50 unless given */
      limit?: number;
      /** The id (`key_…`) after which the page starts: the last of the page before */
      after?: string;
    };
    body: undefined;
    answer: ApiKey[];
  };
  createApiKey: {
    params: undefined;
    query: undefined;
    body: ApiKeyRequest;
    answer: NewApiKey;
  };
  revokeApiKey: {
    params: {
      api_key_id: string;
    };
    query: undefined;
    body: undefined;
    answer: Revoked;
  };
  listAuditEvents: {
    params: undefined;
    query: {
      /** How many at most; 50 unless given */
      limit?: number;
      /** The id (`aud_…`) after which the page starts: the last of the page before */
      after?: string;
    };
    body: undefined;
    answer: AuditEvent[];
  };
  createStorageObject: {
    params: undefined;
    query: undefined;
    body: StorageObjectRequest;
    answer: StorageObject;
  };
  uploadStorageObject: {
    params: {
      storage_object_id: string;
    };
    query: {
      /** From the signed_url */
      expires: string;
      /** From the signed_url */
      signature: string;
    };
    body: undefined;
    answer: StoredObject;
  };
  getUsage: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: Usage | KeyUsage;
  };
  getPlanChange: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  submitPlanChange: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  getSandboxCheckout: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  submitSandboxCheckout: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  getSandboxPortal: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  submitSandboxPortal: {
    params: {
      session_id: string;
    };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  getSandboxInvoice: {
    params: {
      session_id: string;
      invoice_id: string;
    };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  createCheckoutSession: {
    params: undefined;
    query: undefined;
    body: CheckoutRequest;
    answer: CheckoutSession;
  };
  receivePaymentEvent: {
    params: undefined;
    query: undefined;
    body: unknown;
    answer: PaymentEventReceipt;
  };
  listPlans: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: PlanList;
  };
  createPortalSession: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: PortalSession;
  };
  getBillingStatus: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: BillingStatus | KeyBillingStatus;
  };
  receiveStripeEvent: {
    params: undefined;
    query: undefined;
    body: unknown;
    answer: PaymentEventReceipt;
  };
  receivePaymentCallback: {
    params: undefined;
    query: undefined;
    body: unknown;
    answer: PaymentEventReceipt;
  };
  receiveStripeCallback: {
    params: undefined;
    query: undefined;
    body: unknown;
    answer: PaymentEventReceipt;
  };
  listWebhookDeliveries: {
    params: undefined;
    query: {
      /** How many at most; 50 unless given */
      limit?: number;
      /** The id (`whd_…`) after which the page starts: the last of the page before */
      after?: string;
    };
    body: undefined;
    answer: WebhookDelivery[];
  };
  deliverWebhooks: {
    params: undefined;
    query: {
      /** Also what waits for a later attempt or has failed for good */
      force?: boolean;
    };
    body: undefined;
    answer: DeliverySummary;
  };
  listWebhookEndpoints: {
    params: undefined;
    query: {
      /** How many at most; 50 unless given */
      limit?: number;
      /** The id (`whe_…`) after which the page starts: the last of the page before */
      after?: string;
    };
    body: undefined;
    answer: WebhookEndpoint[];
  };
  createWebhookEndpoint: {
    params: undefined;
    query: undefined;
    body: WebhookEndpointRequest;
    answer: NewWebhookEndpoint;
  };
  getWebhookEndpoint: {
    params: {
      endpoint_id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookEndpoint;
  };
  updateWebhookEndpoint: {
    params: {
      endpoint_id: string;
    };
    query: undefined;
    body: WebhookEndpointUpdate;
    answer: WebhookEndpoint;
  };
  deleteWebhookEndpoint: {
    params: {
      endpoint_id: string;
    };
    query: undefined;
    body: undefined;
    answer: DeletedEndpoint;
  };
  rotateWebhookSecret: {
    params: {
      endpoint_id: string;
    };
    query: undefined;
    body: undefined;
    answer: SigningSecret;
  };
  testWebhookEndpoint: {
    params: {
      endpoint_id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookDelivery;
  };
  getDefaultSigningSecret: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: SigningSecret;
  };
  rotateDefaultSigningSecret: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: SigningSecret;
  };
  getKeyAnalysis: {
    params: {
      job_id: string;
    };
    query: {
      /** What the engine said, without corrections */
      as_heard?: boolean;
    };
    body: undefined;
    answer: KeyAnalysis;
  };
  getKeyAnalysisFull: {
    params: {
      job_id: string;
    };
    query: {
      /** What the engine said, without corrections */
      as_heard?: boolean;
    };
    body: undefined;
    answer: KeyAnalysisFull;
  };
  listKeyAnalysisWebhooks: {
    params: {
      job_id: string;
    };
    query: {
      /** How many at most; 50 unless given */
      limit?: number;
      /** The id (`att_…`) after which the page starts: the last of the page before */
      after?: string;
    };
    body: undefined;
    answer: WebhookAttempts;
  };
  analyzeBatch: {
    params: undefined;
    query: undefined;
    body: BatchRequest;
    answer: AcceptedBatch;
  };
  analyzeUpload: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: AcceptedAnalysis;
  };
  analyzeUrl: {
    params: undefined;
    query: undefined;
    body: UrlAnalysisRequest;
    answer: AcceptedAnalysis;
  };
  createBatch: {
    params: undefined;
    query: undefined;
    body: BatchRequest;
    answer: AcceptedBatch;
  };
  getDemoAnalysis: {
    params: {
      job_id: string;
    };
    query: {
      /** From the poll_url */
      token?: string;
    };
    body: undefined;
    answer: KeyAnalysisFull;
  };
  analyzeDemoUpload: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: AcceptedDemo;
  };
  analyzeDemoUrl: {
    params: undefined;
    query: undefined;
    body: DemoRequest;
    answer: AcceptedDemo;
  };
  callMcp: {
    params: undefined;
    query: undefined;
    body: JsonRpcMessage;
    answer: JsonRpcAnswer | undefined;
  };
};
