"""What crosses the wire, as types: `dict` at run time, checked by mypy and shown by editors.

Written from the OpenAPI document by `npm run openapi`; do not edit.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class AcceptedAnalysis(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    status: "KeyJobStatus"


class AcceptedBatchJobsItem(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    status: "KeyJobStatus"
    url: str


class AcceptedBatch(TypedDict):
    jobs: List["AcceptedBatchJobsItem"]


class AcceptedDemo(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    status: "KeyJobStatus"
    poll_url: str
    expires_at: str
    """UTC, ISO 8601 with milliseconds"""


class _AccountAnalysisRequestRequired(TypedDict):
    storage_object_id: str


class AccountAnalysisRequest(_AccountAnalysisRequestRequired, total=False):
    idempotency_key: Optional[str]
    """As the header `Idempotency-Key`; where both are given they must agree"""


class AnalysisCanceledPayloadDataLinks(TypedDict):
    job: str
    result: str


class AnalysisCanceledPayloadData(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    completed_at: str
    """UTC, ISO 8601 with milliseconds"""
    metadata: Dict[str, str]
    """As it was given with the job"""
    links: "AnalysisCanceledPayloadDataLinks"
    status: Literal["canceled"]
    error: "AnalysisFailure"


class AnalysisCanceledPayload(TypedDict):
    type: Literal["analysis.canceled"]
    timestamp: str
    """UTC, ISO 8601 with milliseconds"""
    data: "AnalysisCanceledPayloadData"


class AnalysisCompletedPayloadDataLinks(TypedDict):
    job: str
    result: str


class AnalysisCompletedPayloadData(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    completed_at: str
    """UTC, ISO 8601 with milliseconds"""
    metadata: Dict[str, str]
    """As it was given with the job"""
    links: "AnalysisCompletedPayloadDataLinks"
    status: Literal["completed"]
    error: None


class AnalysisCompletedPayload(TypedDict):
    type: Literal["analysis.completed"]
    timestamp: str
    """UTC, ISO 8601 with milliseconds"""
    data: "AnalysisCompletedPayloadData"


class AnalysisEvent(TypedDict):
    id: str
    """Identifier with the prefix `evt_`"""
    event_type: Literal["job.queued", "job.started", "job.retrying", "source.downloaded", "audio.decoded", "analysis.progress", "enrichment.completed", "job.completed", "job.failed", "job.canceled", "source.deleted", "webhook.queued", "webhook.delivered", "webhook.failed"]
    message: str
    metadata: Dict[str, Any]
    created_at: str
    """UTC, ISO 8601 with milliseconds"""


class AnalysisFailedPayloadDataLinks(TypedDict):
    job: str
    result: str


class AnalysisFailedPayloadData(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    completed_at: str
    """UTC, ISO 8601 with milliseconds"""
    metadata: Dict[str, str]
    """As it was given with the job"""
    links: "AnalysisFailedPayloadDataLinks"
    status: Literal["failed"]
    error: "AnalysisFailure"


class AnalysisFailedPayload(TypedDict):
    type: Literal["analysis.failed"]
    timestamp: str
    """UTC, ISO 8601 with milliseconds"""
    data: "AnalysisFailedPayloadData"


class AnalysisFailure(TypedDict):
    code: "FailureCode"
    message: str
    retryable: bool
    """Whether the same request may succeed later"""


class AnalysisHints(TypedDict, total=False):
    """What the caller already knows; each narrows the search"""

    bpm: Optional[float]
    bpm_min: Optional[float]
    bpm_max: Optional[float]
    key: Optional[str]
    time_signature: Optional[int]
    """Beats in a bar"""


class AnalysisJob(TypedDict):
    id: str
    """Identifier with the prefix `job_`"""
    status: "JobStatus"
    source_url: str
    """The address given; for an upload `storage://<bucket>/<key>` of its storage object"""
    idempotent_replay: bool
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    updated_at: str
    """UTC, ISO 8601 with milliseconds"""
    storage_object_id: Optional[str]
    webhook_url: Optional[str]
    features: Optional[List[Literal["rhythm", "tonal", "structure", "loudness", "quality", "timbre", "content", "waveform", "fingerprint", "tags"]]]
    """Null: all"""
    metadata: Dict[str, str]
    stage: Optional[str]
    progress: float
    attempt: int
    started_at: Optional[str]
    completed_at: Optional[str]
    error: Optional["AnalysisFailure"]
    file_name: Optional[str]
    """As the upload was called"""
    retain_source: bool
    """Whether the audio is kept once the analysis has ended"""
    source_available: bool
    """Whether the audio is here: it can be played (`artifacts/source`) and analysed again"""
    source_expires_at: Optional[str]
    """When the retention of the workspace deletes the audio; null: it does not"""
    headline: Optional["JobHeadline"]
    """Null until it is completed"""


class AnalysisRequest(TypedDict, total=False):
    source_url: Optional[str]
    storage_object_id: Optional[str]
    webhook_url: Optional[str]
    features: Optional[List[Literal["file", "rhythm", "tonal", "structure", "loudness", "quality", "timbre", "content", "waveform", "fingerprint", "tags", "provenance"]]]
    """All unless given. `file` and `provenance` are always there"""
    hints: Optional["AnalysisHints"]
    metadata: Optional[Dict[str, str]]
    """At most 16 pairs of text, echoed with the job"""
    enrich: Optional[List[Literal["acoustid"]]]
    retain_source: Optional[bool]
    """Whether to keep the audio after the analysis. Left out, the workspace decides; one that never keeps audio does not keep this either"""


class AnalysisResult(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    status: "JobStatus"
    result: Optional["FullResult"]
    report_artifact: Optional["ReportArtifact"]
    error: Optional["AnalysisFailure"]


class _ApiKeyRequired(TypedDict):
    id: str
    """Identifier with the prefix `key_`"""
    name: str
    prefix: str
    """The first 12 characters of the key"""
    scopes: List["ApiKeyScope"]
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    last_used_at: Optional[str]
    """To the minute"""


class ApiKey(_ApiKeyRequired, total=False):
    revoked_at: str
    """Present once revoked"""


class ApiKeyRequest(TypedDict):
    name: str
    scopes: List["ApiKeyScope"]


ApiKeyScope = Literal["analyses:create", "analyses:read", "analyses:write", "usage:read", "webhooks:read", "webhooks:write", "audit:read"]


class AuditEvent(TypedDict):
    id: str
    """Identifier with the prefix `aud_`"""
    action: str
    target_type: str
    target_id: str
    metadata: Dict[str, Any]
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    actor_kind: Literal["user", "api_key", "system", "payment_provider"]
    actor_id: Optional[str]
    ip: Optional[str]
    request_id: Optional[str]


class BatchRequest(TypedDict, total=False):
    items: Optional[List["UrlAnalysisRequest"]]
    urls: Optional[List[str]]


class BeatEditsMoveItem(TypedDict):
    from_seconds: float
    to_seconds: float


class BeatEdits(TypedDict, total=False):
    """Single beats of the grid as it is after tempo and bars; a beat is named by its time"""

    remove: Optional[List[float]]
    """Seconds"""
    move: Optional[List["BeatEditsMoveItem"]]
    add: Optional[List[float]]
    """Seconds"""


BillingState = Literal["active", "past_due", "canceled"]


class BillingStatus(TypedDict):
    workspace_id: str
    """Identifier with the prefix `ws_`"""
    plan: Literal["free", "pro", "scale"]
    status: "BillingState"
    local_credit_balance: int
    grace_until: Optional[str]
    """Until then a failed payment keeps the limits of the plan"""


class BulkOutcome(TypedDict):
    action: Literal["tag", "untag", "delete", "add_to_collection", "analyse_again", "export"]
    matched: int
    """How many songs were meant"""
    changed: int
    """How many of them were not so already"""
    job_ids: List[str]
    """The new analyses, for `analyse_again`; otherwise empty"""


class _BulkRequestRequired(TypedDict):
    action: Literal["tag", "untag", "delete", "add_to_collection", "analyse_again", "export"]


class BulkRequest(_BulkRequestRequired, total=False):
    ids: Optional[List[str]]
    query: Optional["SongFilter"]
    """Every song that this filter finds, 10000 at most (500 to delete, analyse again or export)"""
    tags: Optional[List[str]]
    """For `tag` and `untag`"""
    collection_id: Optional[str]
    """For `add_to_collection`"""
    format: Optional[Literal["rekordbox", "traktor", "virtualdj", "serato", "m3u8", "csv", "jams", "chordpro"]]
    """For `export`"""
    folder: Optional[str]


class _CheckoutRequestRequired(TypedDict):
    plan: Literal["pro", "scale"]


class CheckoutRequest(_CheckoutRequestRequired, total=False):
    success_url: Optional[str]
    cancel_url: Optional[str]


class CheckoutSessionProration(TypedDict):
    amount_due: int
    """In the smallest unit of the currency, billed at once; below zero it is credited to the next invoice"""
    currency: str


class CheckoutSession(TypedDict):
    """Send the person to `url`"""

    id: str
    url: str
    proration: Optional["CheckoutSessionProration"]
    """For a workspace that pays already: what the change costs for the rest of the month"""


class Chord(TypedDict):
    start_seconds: float
    end_seconds: float
    label: str
    """Harte syntax"""
    roman: Optional[str]
    bar: Optional[int]
    beat: Optional[int]
    confidence: float


class Collection(TypedDict):
    id: str
    """Identifier with the prefix `col_`"""
    name: str
    description: Optional[str]
    version: int
    """Raised by every change; `ETag` is this number in quotes"""
    item_count: int
    duration_seconds: float
    """Of all its songs together"""
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    updated_at: str
    """UTC, ISO 8601 with milliseconds"""
    items: List["CollectionItem"]


class CollectionChange(TypedDict, total=False):
    name: str
    description: Optional[str]


class CollectionItem(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    title: Optional[str]
    artist: Optional[str]
    bpm: Optional[float]
    key_notation: Optional[str]
    camelot: Optional[str]
    energy: Optional[float]
    duration_seconds: Optional[float]


class CollectionItems(TypedDict):
    items: List[str]
    """Ids of analyses, in order, each once"""


class CollectionOrderStepsItem(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    title: Optional[str]
    artist: Optional[str]
    bpm: Optional[float]
    key_notation: Optional[str]
    camelot: Optional[str]
    energy: Optional[float]
    duration_seconds: Optional[float]
    reason: str
    """Why it comes here, in words"""
    tempo_shift_percent: Optional[float]
    """What brings it to the tempo of the song before, half and double allowed"""
    key_relation: Optional[str]
    energy_step: Optional[float]


class CollectionOrder(TypedDict):
    """A proposal: nothing is changed"""

    by: Literal["harmonic", "energy", "bpm"]
    steps: List["CollectionOrderStepsItem"]


class CollectionSummary(TypedDict):
    id: str
    """Identifier with the prefix `col_`"""
    name: str
    description: Optional[str]
    version: int
    """Raised by every change; `ETag` is this number in quotes"""
    item_count: int
    duration_seconds: float
    """Of all its songs together"""
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    updated_at: str
    """UTC, ISO 8601 with milliseconds"""


class CorrectedChord(TypedDict):
    start_seconds: float
    end_seconds: float
    label: str


class _CorrectedSectionRequired(TypedDict):
    start_seconds: float
    end_seconds: float
    label: Literal["intro", "verse", "pre-chorus", "chorus", "bridge", "instrumental", "break", "outro"]


class CorrectedSection(_CorrectedSectionRequired, total=False):
    group: Optional[str]
    """The same letter is the same music"""


class Correction(TypedDict):
    """What a person said is true; all null when nobody has"""

    job_id: str
    """Identifier with the prefix `job_`"""
    kinds: List[Literal["tempo", "bars", "beats", "key", "chords", "sections"]]
    """What is corrected"""
    tempo: Optional[Union[Literal["double", "half", "triple", "third"], float]]
    bpm: Optional[float]
    """The true tempo that `tempo` comes to"""
    first_downbeat_seconds: Optional[float]
    shift_beats: Optional[int]
    beats_per_bar: Optional[int]
    key: Optional[str]
    sections: Optional[List["CorrectedSection"]]
    """As it was said"""
    chords: Optional[List["CorrectedChord"]]
    beats: Optional["BeatEdits"]
    note: Optional[str]
    corrected_by: Optional[str]
    updated_at: Optional[str]


class CorrectionRequest(TypedDict, total=False):
    tempo: Optional[Union[Literal["double", "half", "triple", "third"], float]]
    first_downbeat_seconds: Optional[float]
    shift_beats: Optional[int]
    beats_per_bar: Optional[int]
    key: Optional[str]
    sections: Optional[List["CorrectedSection"]]
    chords: Optional[List["CorrectedChord"]]
    beats: Optional["BeatEdits"]
    note: Optional[str]


class Curve(TypedDict):
    hop_seconds: float
    start_seconds: float
    values: List[Optional[float]]


class Deleted(TypedDict):
    deleted: bool


class DeletedEndpoint(TypedDict):
    deleted: bool


class DeliverySummary(TypedDict):
    attempted: int
    delivered: int
    failed: int
    pending: int


class DemoRequest(TypedDict):
    url: str


class EmailVerification(TypedDict):
    verified: bool
    email: str


class EmailVerificationRequest(TypedDict):
    token: str


FailureCode = Literal["unsupported_format", "corrupt_audio", "no_audio", "too_long", "too_large", "download_failed", "download_forbidden", "timed_out", "internal", "canceled"]


class FullResult(TypedDict):
    """The summary, flat, and beside it every group"""

    schema_version: str
    engine_version: str
    duration_seconds: float
    bpm: Optional[float]
    bpm_confidence: Optional[float]
    time_signature: Optional[int]
    """Beats in a bar"""
    key: Optional[Literal["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]]
    scale: Optional[Literal["major", "minor"]]
    key_notation: Optional[str]
    key_confidence: Optional[float]
    camelot: Optional[str]
    open_key: Optional[str]
    loudness_lufs: Optional[float]
    true_peak_dbtp: Optional[float]
    energy: Optional[float]
    danceability: Optional[float]
    valence: Optional[float]
    acousticness: Optional[float]
    instrumentalness: Optional[float]
    speechiness: Optional[float]
    mood_tags: List[str]
    genre_suggestions: List[str]
    unavailable: Dict[str, str]
    """Why a value is null"""
    corrections: Optional["ResultCorrections"]
    """What of this a person has corrected; null when it is all as heard"""
    file: Optional["ResultFile"]
    rhythm: Optional["ResultRhythm"]
    tonal: Optional["ResultTonal"]
    structure: Optional["ResultStructure"]
    loudness: Optional["ResultLoudness"]
    quality: Optional["ResultQuality"]
    timbre: Optional["ResultTimbre"]
    content: Optional["ResultContent"]
    waveform: Optional["ResultWaveform"]
    fingerprint: Optional["ResultFingerprint"]
    tags: Optional["ResultTags"]
    provenance: "ResultProvenance"
    enrichment: List["ResultEnrichment"]


class Health(TypedDict):
    status: Literal["ok"]


class _InvitationRequired(TypedDict):
    id: str
    """Identifier with the prefix `inv_`"""
    email: str
    role: "WorkspaceRole"
    status: Literal["pending", "accepted", "declined", "revoked", "expired"]
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    expires_at: str
    """UTC, ISO 8601 with milliseconds"""


class Invitation(_InvitationRequired, total=False):
    accepted_at: str
    """Present once accepted"""
    revoked_at: str
    """Present once revoked"""
    declined_at: str
    """Present once declined"""


class _InvitationRequestRequired(TypedDict):
    email: str


class InvitationRequest(_InvitationRequestRequired, total=False):
    role: Literal["viewer", "member", "admin"]


class JobHeadline(TypedDict):
    """What one looks for first in a list of songs"""

    duration_seconds: float
    bpm: Optional[float]
    key_notation: Optional[str]
    camelot: Optional[str]
    loudness_lufs: Optional[float]
    title: Optional[str]
    """As people wrote it, as the file has it, or the name of the file"""
    artist: Optional[str]
    album: Optional[str]
    genre: Optional[str]
    """As the file has it, or the first suggestion"""
    mood: Optional[str]
    energy: Optional[float]
    danceability: Optional[float]
    valence: Optional[float]
    voice: Optional[bool]
    """Whether somebody sings; null where we cannot tell"""
    artwork: bool
    """Whether the file has a cover"""
    tags: List[str]
    note: Optional[str]
    rating: Optional[int]
    waveform: Optional[List[int]]
    """120 peaks over the length of the song"""
    same_recording_as: Optional[str]
    """The first analysis of the same recording, when this is not it"""
    corrected: bool
    """Whether a person has corrected something"""


JobStatus = Literal["queued", "processing", "completed", "failed", "canceled"]


class JobWebhookDelivery(TypedDict):
    id: str
    """Identifier with the prefix `whd_`"""
    job_id: str
    """Identifier with the prefix `job_`"""
    event_type: Literal["analysis.completed", "analysis.failed", "analysis.canceled", "webhook.test"]
    status: Literal["pending", "delivering", "delivered", "failed"]
    attempt_count: int
    signature: str
    """The last one sent; before the first attempt, the one that will be"""
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    endpoint_id: Optional[str]
    """Null for a job's own webhook_url"""
    url: str
    next_attempt_at: Optional[str]
    last_status_code: Optional[int]
    last_error: Optional[str]
    body: str
    """What is sent, byte for byte: what the signature is over"""
    related_delivery_ids: List[str]


class JsonRpcAnswer(TypedDict):
    jsonrpc: Literal["2.0"]
    id: Optional[Union[str, float]]


class _JsonRpcMessageRequired(TypedDict):
    jsonrpc: Literal["2.0"]


class JsonRpcMessage(_JsonRpcMessageRequired, total=False):
    id: Union[str, float]
    """Absent in a notification"""
    method: str
    """Absent in an answer"""
    params: Dict[str, Any]


class KeyAnalysis(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    status: "KeyJobStatus"
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    completed_at: Optional[str]
    error: Optional[str]
    """Why it failed, as a sentence"""
    error_code: Optional["FailureCode"]
    """The same for a program"""
    retryable: Optional[bool]
    """Whether the same request may succeed later"""
    progress: float
    sections: List["ShortSection"]
    result: Optional["ResultSummary"]


class KeyAnalysisFull(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    status: "KeyJobStatus"
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    completed_at: Optional[str]
    error: Optional[str]
    """Why it failed, as a sentence"""
    error_code: Optional["FailureCode"]
    """The same for a program"""
    retryable: Optional[bool]
    """Whether the same request may succeed later"""
    progress: float
    sections: List["Section"]
    result: Optional["FullResult"]


class KeyBillingStatus(TypedDict):
    tier: Literal["free", "pro", "scale"]
    status: "BillingState"
    meter: Optional["Meter"]
    portal_available: bool
    email_verified: bool


KeyJobStatus = Literal["processing", "completed", "failed"]


class KeyUsage(TypedDict):
    period: str
    """Billing month"""
    month: str
    """Billing month"""
    period_start: str
    """UTC, ISO 8601 with milliseconds"""
    period_end: str
    """UTC, ISO 8601 with milliseconds"""
    tier: Literal["free", "pro", "scale"]
    limit: int
    count: int
    remaining: int
    meter: Optional["Meter"]
    storage: "StorageUse"


class Meter(TypedDict):
    state: Literal["active", "inactive"]
    included: int
    used: int
    overage: int
    """Analyses beyond the included ones, billed one by one"""


class NamedTagSpansItem(TypedDict):
    start_seconds: float
    end_seconds: float
    confidence: float


class NamedTag(TypedDict):
    """A word of the published taxonomy"""

    label: str
    confidence: float
    spans: List["NamedTagSpansItem"]
    """Sections in which it holds"""


class NewApiKey(TypedDict):
    id: str
    """Identifier with the prefix `key_`"""
    name: str
    prefix: str
    """The first 12 characters of the key"""
    scopes: List["ApiKeyScope"]
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    plaintext_key: str
    """The key itself, told once"""


class _NewCollectionRequired(TypedDict):
    name: str


class NewCollection(_NewCollectionRequired, total=False):
    description: Optional[str]
    items: Optional[List[str]]


class NewShare(TypedDict):
    id: str
    """Identifier with the prefix `shr_`"""
    job_id: str
    """Identifier with the prefix `job_`"""
    created_by: str
    """Id of the person or key"""
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    revoked_at: Optional[str]
    url: str
    """The link, told once"""


class NewWebhookEndpoint(TypedDict):
    id: str
    """Identifier with the prefix `whe_`"""
    url: str
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    updated_at: str
    """UTC, ISO 8601 with milliseconds"""
    description: Optional[str]
    event_types: List[Literal["analysis.completed", "analysis.failed", "analysis.canceled"]]
    """Empty: every event"""
    status: Literal["active", "disabled"]
    disabled_reason: Optional[str]
    signing_secret: str
    """`whsec_…`, told once"""


class NextSong(TypedDict):
    job: "AnalysisJob"
    score: float
    key_relation: Optional[str]
    tempo_shift_percent: Optional[float]
    """What brings it to the tempo of the song before; half and double allowed, never beyond 8 %"""
    energy_step: Optional[float]
    reason: str


class NotificationPreferences(TypedDict):
    analysis_complete: bool
    billing_updates: bool
    product_updates: bool


class OwnershipTransfer(TypedDict):
    owner: "TeamMember"
    previous_owner: "TeamMember"
    transferred: bool


class PaymentEventReceipt(TypedDict):
    accepted: bool
    event_type: str


class PlanListPlansItemPrice(TypedDict):
    amount: int
    """A month, in the smallest unit of the currency"""
    currency: str


class PlanListPlansItem(TypedDict):
    plan: Literal["free", "pro", "scale"]
    analyses_per_month: int
    storage_bytes: int
    """Of audio and reports kept at a time"""
    overage: bool
    """Goes on beyond the month's analyses, and bills each"""
    price: Optional["PlanListPlansItemPrice"]
    """Null of the free plan, and where this service has no payment provider"""


class PlanList(TypedDict):
    plans: List["PlanListPlansItem"]


class PortalSession(TypedDict):
    """Send the person to `url`"""

    id: str
    url: str


class Problem(TypedDict):
    detail: str
    """A sentence a person can act on"""
    code: Literal["unauthorized", "email_not_verified", "insufficient_role", "insufficient_scope", "cross_origin_cookie", "not_found", "method_not_allowed", "not_acceptable", "quota_exceeded", "email_exists", "conflict", "already_finished", "not_finished", "no_webhook_endpoint", "owner_required", "already_member", "already_invited", "object_not_uploaded", "object_already_uploaded", "endpoint_disabled", "subscription_exists", "payments_not_configured", "idempotency_key_reused", "idempotency_in_progress", "gone", "precondition_failed", "payload_too_large", "storage_quota_exceeded", "unsupported_media", "bad_signature", "bad_request", "too_many_attempts", "rate_limited", "internal", "payment_provider_failed", "unavailable", "overloaded", "storage_full"]
    request_id: str


class Profile(TypedDict):
    user_id: str
    """Identifier with the prefix `usr_`"""
    email: str
    expires_at: str
    """UTC, ISO 8601 with milliseconds"""
    workspace_id: str
    """Identifier with the prefix `ws_`"""
    workspace_name: str
    workspace_role: "WorkspaceRole"
    notification_preferences: "NotificationPreferences"
    name: Optional[str]
    email_verified: bool


class ProfileUpdateNotificationPreferences(TypedDict, total=False):
    analysis_complete: bool
    billing_updates: bool
    product_updates: bool


class ProfileUpdate(TypedDict, total=False):
    name: Optional[str]
    workspace_name: str
    """Admins and the owner only"""
    notification_preferences: "ProfileUpdateNotificationPreferences"


class Readiness(TypedDict):
    status: Literal["ready", "not_ready"]
    checks: Dict[str, Literal["ok", "low", "failing"]]


class _ReceivedInvitationRequired(TypedDict):
    id: str
    """Identifier with the prefix `inv_`"""
    email: str
    role: "WorkspaceRole"
    status: Literal["pending", "accepted", "declined", "revoked", "expired"]
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    expires_at: str
    """UTC, ISO 8601 with milliseconds"""
    workspace_id: str
    """Identifier with the prefix `ws_`"""
    workspace_name: str


class ReceivedInvitation(_ReceivedInvitationRequired, total=False):
    accepted_at: str
    """Present once accepted"""
    revoked_at: str
    """Present once revoked"""
    declined_at: str
    """Present once declined"""


class ReceivedInvitations(TypedDict):
    invitations: List["ReceivedInvitation"]


class Registration(TypedDict):
    user_id: str
    """Identifier with the prefix `usr_`"""
    workspace_id: str
    """Identifier with the prefix `ws_`"""
    email: str
    api_key: str
    """The key itself, told once"""
    api_key_id: str
    """Identifier with the prefix `key_`"""
    prefix: str
    tier: Literal["free", "pro", "scale"]
    email_verified: bool
    verification_required: bool
    webhook_signing_secret: str
    """Signs the calls to a `webhook_url` given with a job (`whsec_…`)"""
    dev_verification_token: Optional[str]
    """The token of the verification mail, only while no mail transport is configured"""


class _RegistrationRequestRequired(TypedDict):
    email: str


class RegistrationRequest(_RegistrationRequestRequired, total=False):
    name: Optional[str]


class RemovedMember(TypedDict):
    removed: bool


class ReportArtifact(TypedDict):
    id: str
    """Identifier with the prefix `art_`"""
    formats: Dict[str, str]
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    expires_at: Optional[str]


class ResultContentRegionsItem(TypedDict):
    start_seconds: float
    end_seconds: float
    kind: Literal["music", "speech", "silence", "noise"]
    confidence: float


class ResultContentVoiceSpansItem(TypedDict):
    start_seconds: float
    end_seconds: float
    kind: Literal["sung", "rapped", "spoken"]
    confidence: float


class _ResultContentRequired(TypedDict):
    regions: List["ResultContentRegionsItem"]
    voice_presence: Optional[float]
    voice_presence_confidence: Optional[float]


class ResultContent(_ResultContentRequired, total=False):
    voice_spans: List["ResultContentVoiceSpansItem"]
    voice_curve: Optional["Curve"]
    """Probability of a voice in every tenth of a second"""


class ResultCorrectionsHeard(TypedDict):
    bpm: Optional[float]
    time_signature: Optional[int]
    first_downbeat_seconds: Optional[float]
    key_notation: Optional[str]
    camelot: Optional[str]


class ResultCorrections(TypedDict):
    kinds: List[Literal["tempo", "bars", "beats", "key", "chords", "sections"]]
    """What is corrected"""
    heard: "ResultCorrectionsHeard"
    note: Optional[str]
    corrected_by: str
    """Id of the person, or of the person whose key it was"""
    updated_at: str
    """UTC, ISO 8601 with milliseconds"""


class ResultEnrichment(TypedDict):
    provider: str
    status: Literal["matched", "no_match", "unavailable"]


class ResultFile(TypedDict):
    container: Optional[str]
    codec: Optional[str]
    sample_rate_hz: Optional[float]
    channels: Optional[int]
    bit_depth: Optional[int]
    bit_rate_bps: Optional[float]
    duration_seconds: Optional[float]
    byte_size: Optional[int]
    sha256: Optional[str]
    tags: Dict[str, Any]
    """title, artist, album, isrc, … as the file has them"""
    cover_art_present: Optional[bool]


class _ResultFingerprintRequired(TypedDict):
    chromaprint: Optional[str]
    chromaprint_duration_seconds: float
    embedding: Optional[List[float]]


class ResultFingerprint(_ResultFingerprintRequired, total=False):
    embedding_version: int
    """Of the layout; absent means 1. Vectors of two versions are not to be compared"""


class ResultLoudnessReplayGain(TypedDict):
    track_gain_db: Optional[float]
    track_peak: float


class ResultLoudnessPlatformsItem(TypedDict):
    platform: Literal["spotify", "apple_music", "youtube", "tidal", "amazon_music", "podcast"]
    target_lufs: float
    gain_db: Optional[float]
    true_peak_after_dbtp: Optional[float]
    limited: bool


class ResultLoudness(TypedDict):
    integrated_lufs: Optional[float]
    range_lu: Optional[float]
    momentary_max_lufs: Optional[float]
    short_term_max_lufs: Optional[float]
    true_peak_dbtp: Optional[float]
    sample_peak_dbfs: Optional[float]
    plr_lu: Optional[float]
    replay_gain: "ResultLoudnessReplayGain"
    momentary: "Curve"
    short_term: "Curve"
    platforms: List["ResultLoudnessPlatformsItem"]


class ResultProvenanceModelsItem(TypedDict):
    name: str
    version: str
    sha256: str


class ResultProvenance(TypedDict):
    schema_version: str
    engine_version: str
    decoder: Optional[str]
    models: List["ResultProvenanceModelsItem"]
    analysed_at: str
    """UTC, ISO 8601 with milliseconds"""
    analysis_seconds: Optional[float]
    options: Dict[str, Any]


class ResultQualityEventsItem(TypedDict):
    kind: Literal["clipping", "dropout", "silence", "click"]
    start_seconds: float
    end_seconds: float
    channel: Optional[int]
    """Counted from 0; null when all channels share it"""
    severity: float
    """0 to 1, by kind. Clipping: the share of its time that is cut off. Dropout: the lower of the peaks on both sides of the hole. Silence: its length in tens of seconds. Click: the second difference of the samples, twice the height of a single wrong one. Full scale is 1, and nothing is more"""


class ResultQualityEventCounts(TypedDict):
    """All of them, also those beyond the listed ones"""

    clipping: int
    dropout: int
    silence: int
    click: int


class ResultQualityHum(TypedDict):
    frequency_hz: Union[Literal[50], Literal[60]]
    level_dbfs: float
    confidence: float


class ResultQualityLossyTranscode(TypedDict):
    verdict: Literal["likely", "unlikely", "unknown"]
    cutoff_hz: Optional[float]
    confidence: float


class ResultQualityStereo(TypedDict):
    correlation: float
    width: float
    correlation_curve: "Curve"
    width_curve: "Curve"
    mono_loss_db: float
    imbalance_db: float
    phase_inverted: bool


class ResultQuality(TypedDict):
    events: List["ResultQualityEventsItem"]
    event_counts: "ResultQualityEventCounts"
    """All of them, also those beyond the listed ones"""
    dc_offset: List[float]
    noise_floor_dbfs: Optional[float]
    hum: Optional["ResultQualityHum"]
    bandwidth_hz: Optional[float]
    lossy_transcode: "ResultQualityLossyTranscode"
    stereo: Optional["ResultQualityStereo"]
    non_finite_samples: int


class ResultRhythmAlternativesItem(TypedDict):
    bpm: float
    weight: float


class ResultRhythmTempoCurveItem(TypedDict):
    time_seconds: float
    bpm: float


class ResultRhythmBeatsItem(TypedDict):
    time_seconds: float
    confidence: float
    beat_in_bar: int
    """1 is the downbeat"""
    bar: int
    """Counted from 0"""


class ResultRhythmDownbeatsItem(TypedDict):
    time_seconds: float
    confidence: float


class ResultRhythmTimeSignatureChangesItem(TypedDict):
    start_seconds: float
    end_seconds: float
    beats_per_bar: int
    confidence: float


class ResultRhythmTimeSignature(TypedDict):
    beats_per_bar: int
    confidence: float
    changes: List["ResultRhythmTimeSignatureChangesItem"]


class ResultRhythmOnsetsItem(TypedDict):
    time_seconds: float
    strength: float


class ResultRhythmSwing(TypedDict):
    ratio: float
    """0.5 straight, 0.667 triplet swing"""
    confidence: float


class ResultRhythm(TypedDict):
    bpm: Optional[float]
    """Unrounded, from the beats"""
    confidence: Optional[float]
    alternatives: List["ResultRhythmAlternativesItem"]
    stability: Optional[float]
    """0 to 1; 1 is a metronome"""
    tempo_curve: List["ResultRhythmTempoCurveItem"]
    beats: List["ResultRhythmBeatsItem"]
    downbeats: List["ResultRhythmDownbeatsItem"]
    time_signature: Optional["ResultRhythmTimeSignature"]
    onsets: List["ResultRhythmOnsetsItem"]
    onset_rate_hz: float
    swing: Optional["ResultRhythmSwing"]


class ResultStructureSegments(TypedDict):
    fade_in_end_seconds: Optional[float]
    fade_out_start_seconds: Optional[float]


class ResultStructure(TypedDict):
    sections: List["Section"]
    segments: "ResultStructureSegments"


class ResultSummary(TypedDict):
    schema_version: str
    engine_version: str
    duration_seconds: float
    bpm: Optional[float]
    bpm_confidence: Optional[float]
    time_signature: Optional[int]
    """Beats in a bar"""
    key: Optional[Literal["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]]
    scale: Optional[Literal["major", "minor"]]
    key_notation: Optional[str]
    key_confidence: Optional[float]
    camelot: Optional[str]
    open_key: Optional[str]
    loudness_lufs: Optional[float]
    true_peak_dbtp: Optional[float]
    energy: Optional[float]
    danceability: Optional[float]
    valence: Optional[float]
    acousticness: Optional[float]
    instrumentalness: Optional[float]
    speechiness: Optional[float]
    mood_tags: List[str]
    genre_suggestions: List[str]
    unavailable: Dict[str, str]
    """Why a value is null"""
    corrections: Optional["ResultCorrections"]
    """What of this a person has corrected; null when it is all as heard"""


class ResultTags(TypedDict):
    """Best first"""

    genres: List["NamedTag"]
    moods: List["NamedTag"]
    instruments: List["NamedTag"]
    eras: List["NamedTag"]


class ResultTimbreTonalBalanceItem(TypedDict):
    band: str
    low_hz: float
    high_hz: float
    level_db: float
    reference_db: float
    deviation_db: float


class ResultTimbre(TypedDict):
    mfcc_mean: List[float]
    mfcc_covariance: List[List[float]]
    centroid_hz: Optional[float]
    rolloff_hz: Optional[float]
    flatness: Optional[float]
    flux: Optional[float]
    contrast_db: List[float]
    tonal_balance: List["ResultTimbreTonalBalanceItem"]


class ResultTonalAlternativesItem(TypedDict):
    key: Literal["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
    scale: Literal["major", "minor"]
    weight: float


class ResultTonalKeyChangesItem(TypedDict):
    start_seconds: float
    end_seconds: float
    key: Literal["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
    scale: Literal["major", "minor"]
    confidence: float


class ResultTonal(TypedDict):
    key: Optional[Literal["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]]
    scale: Optional[Literal["major", "minor"]]
    confidence: Optional[float]
    alternatives: List["ResultTonalAlternativesItem"]
    key_changes: List["ResultTonalKeyChangesItem"]
    tuning_hz: Optional[float]
    tuning_cents: Optional[float]
    chords: List["Chord"]
    """Major, minor and no chord"""
    chords_sevenths: List["Chord"]
    chroma: List[float]
    """Mean chroma from C, largest value 1"""


class ResultWaveformLevelsItem(TypedDict):
    version: Literal[2]
    channels: int
    sample_rate: float
    samples_per_pixel: float
    bits: Literal[8]
    length: int
    data: List[int]


class _ResultWaveformRequired(TypedDict):
    levels: List["ResultWaveformLevelsItem"]


class ResultWaveform(_ResultWaveformRequired, total=False):
    """Each level in audiowaveform's JSON form, finest first"""

    bands: Optional["WaveformBands"]
    """Absent from results of earlier versions"""


class Revoked(TypedDict):
    revoked: bool


class RoleUpdate(TypedDict):
    role: Literal["viewer", "member", "admin"]


class Section(TypedDict):
    start_seconds: float
    end_seconds: float
    label: Literal["intro", "verse", "pre-chorus", "chorus", "bridge", "instrumental", "break", "outro"]
    label_confidence: float
    group: str
    """A, B, … for repetition"""
    confidence: float
    start_bar: Optional[int]
    bpm: Optional[float]
    key: Optional[str]
    loudness_lufs: Optional[float]
    energy: Optional[float]


class Session(TypedDict):
    user_id: str
    """Identifier with the prefix `usr_`"""
    email: str
    expires_at: str
    """UTC, ISO 8601 with milliseconds"""
    workspace_id: str
    """Identifier with the prefix `ws_`"""
    workspace_role: "WorkspaceRole"


class SetAsideWorkspace(TypedDict):
    """What was made under this address before anybody had proved it. You are not in it, and its keys do not work."""

    workspace_id: str
    """Identifier with the prefix `ws_`"""
    registered_at: str
    """UTC, ISO 8601 with milliseconds"""
    api_keys: int
    webhook_endpoints: int
    analyses: int
    erased_at: str
    """Unless it is claimed before"""


class Share(TypedDict):
    id: str
    """Identifier with the prefix `shr_`"""
    job_id: str
    """Identifier with the prefix `job_`"""
    created_by: str
    """Id of the person or key"""
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    revoked_at: Optional[str]


class ShortSection(TypedDict):
    start_seconds: float
    end_seconds: float
    label: Literal["intro", "verse", "pre-chorus", "chorus", "bridge", "instrumental", "break", "outro"]


class SignInChallenge(TypedDict):
    challenge_id: str
    """Identifier with the prefix `chl_`"""
    dev_code: Optional[str]
    """The code itself, only while no mail transport is configured"""
    expires_at: str
    """UTC, ISO 8601 with milliseconds"""


class SignInStart(TypedDict):
    email: str


class SignInVerification(TypedDict):
    challenge_id: str
    code: str
    """The six digits"""


class SignedInSession(TypedDict):
    user_id: str
    """Identifier with the prefix `usr_`"""
    email: str
    expires_at: str
    """UTC, ISO 8601 with milliseconds"""
    workspace_id: str
    """Identifier with the prefix `ws_`"""
    access_token: str
    """Send it as `Authorization: Bearer …`; also set as a cookie"""
    token_type: Literal["bearer"]
    set_aside: Optional["SetAsideWorkspace"]
    """When this sign-in was the first proof of an address that somebody had registered"""


class SigningSecret(TypedDict):
    signing_secret: str
    previous_secret_expires_at: Optional[str]
    """Until then every call is also signed with the secret before this one"""


class SimilarSong(TypedDict):
    job: "AnalysisJob"
    similarity: float
    """1 for the song itself"""
    reason: str


class SongDescription(TypedDict, total=False):
    """What is left out stays; null gives back what the file says"""

    title: Optional[str]
    artist: Optional[str]
    album: Optional[str]
    tags: Optional[List[str]]
    """All of them; at most 50"""
    note: Optional[str]
    rating: Optional[int]


class SongFilter(TypedDict, total=False):
    q: str
    """Words in title, artist, album, file name, tags and note; case and accents do not matter, the beginning of a word is enough"""
    bpm_min: float
    bpm_max: float
    bpm_near: float
    """Within 4 %; half and double count too"""
    key: List[str]
    """One of these keys"""
    compatible_with: str
    """A key, a Camelot number or the id of an analysis: songs in its key, its neighbours on the wheel, its relative"""
    energy_min: float
    energy_max: float
    danceability_min: float
    danceability_max: float
    valence_min: float
    valence_max: float
    loudness_min: float
    """LUFS"""
    loudness_max: float
    """LUFS"""
    duration_min: float
    """Seconds"""
    duration_max: float
    """Seconds"""
    genre: List[str]
    """Any of these"""
    mood: List[str]
    """Any of these"""
    instrument: List[str]
    """All of these"""
    tag: List[str]
    """All of these"""
    voice: Literal["yes", "no"]
    """Whether somebody sings"""
    collection: str
    """Only songs of this collection"""
    status: Literal["queued", "processing", "completed", "failed", "canceled"]
    created_after: str
    created_before: str
    sha256: str
    """Songs made from exactly this file: ask before you send it again"""
    duplicates: Literal["only", "hide"]
    """Recordings that are there more than once: only those, or each once"""


class StorageObject(TypedDict):
    id: str
    """Identifier with the prefix `obj_`"""
    bucket: str
    key: str
    signed_url: str
    """Takes one PUT of the file with the same content type"""
    expires_at: str
    """UTC, ISO 8601 with milliseconds"""
    content_type: str
    bytes_max: int


class _StorageObjectRequestRequired(TypedDict):
    content_type: str
    """One of audio/*, video/mp4, video/webm, application/ogg, application/octet-stream"""


class StorageObjectRequest(_StorageObjectRequestRequired, total=False):
    purpose: Optional[Literal["upload"]]
    file_name: Optional[str]


class StorageUse(TypedDict):
    used_bytes: int
    """Files that wait, retained sources, reports, and uploads under way"""
    limit_bytes: int


class StoredObject(TypedDict):
    id: str
    """Identifier with the prefix `obj_`"""
    byte_size: int
    sha256: str
    content_type: str


class Team(TypedDict):
    invitations: List["Invitation"]
    members: List["TeamMember"]


class TeamMember(TypedDict):
    user_id: str
    """Identifier with the prefix `usr_`"""
    email: str
    role: "WorkspaceRole"
    status: Literal["active", "removed"]
    name: Optional[str]


class UpdatedMember(TypedDict):
    member: "TeamMember"
    updated: bool


class UploadFields(TypedDict, total=False):
    webhook_url: Optional[str]
    features: Optional[List[Literal["file", "rhythm", "tonal", "structure", "loudness", "quality", "timbre", "content", "waveform", "fingerprint", "tags", "provenance"]]]
    """All unless given. `file` and `provenance` are always there"""
    hints: Optional["AnalysisHints"]
    metadata: Optional[Dict[str, str]]
    """At most 16 pairs of text, echoed with the job"""
    enrich: Optional[List[Literal["acoustid"]]]
    retain_source: Optional[bool]
    """Whether to keep the audio after the analysis. Left out, the workspace decides; one that never keeps audio does not keep this either"""


class _UrlAnalysisRequestRequired(TypedDict):
    url: str


class UrlAnalysisRequest(_UrlAnalysisRequestRequired, total=False):
    webhook_url: Optional[str]
    features: Optional[List[Literal["file", "rhythm", "tonal", "structure", "loudness", "quality", "timbre", "content", "waveform", "fingerprint", "tags", "provenance"]]]
    """All unless given. `file` and `provenance` are always there"""
    hints: Optional["AnalysisHints"]
    metadata: Optional[Dict[str, str]]
    """At most 16 pairs of text, echoed with the job"""
    enrich: Optional[List[Literal["acoustid"]]]
    retain_source: Optional[bool]
    """Whether to keep the audio after the analysis. Left out, the workspace decides; one that never keeps audio does not keep this either"""


class UsageDaysItem(TypedDict):
    date: str
    credits: int


class Usage(TypedDict):
    workspace_id: str
    """Identifier with the prefix `ws_`"""
    local_analysis_jobs: int
    local_analysis_credits: int
    """Credits used this month"""
    provider_enrichment_jobs: int
    days: List["UsageDaysItem"]
    """Days of the month with use, in order; together they are the credits used"""
    period: str
    """Billing month"""
    month: str
    """Billing month"""
    storage: "StorageUse"


class _ValidationIssueRequired(TypedDict):
    type: str
    loc: List[str]
    """Where: `body`, `query`, `path` or `header`, then the way down"""
    msg: str
    input: Any
    """What was given there"""


class ValidationIssue(_ValidationIssueRequired, total=False):
    ctx: Dict[str, Any]


class ValidationProblem(TypedDict):
    detail: List["ValidationIssue"]


class Version(TypedDict):
    service: str
    version: str
    commit: str
    api: str
    engine: str
    node: str


class WaveformBands(TypedDict):
    """How loud lows (to 200 Hz), mids and highs (from 2 kHz) are over time; 255 is the loudest moment of each"""

    hop_seconds: float
    low: List[int]
    mid: List[int]
    high: List[int]


class WebhookAttempt(TypedDict):
    id: str
    """Identifier with the prefix `att_`"""
    delivery_id: str
    """Identifier with the prefix `whd_`"""
    url: str
    attempt: int
    status: Literal["delivered", "failed"]
    status_code: Optional[int]
    error: Optional[str]
    attempted_at: str
    """UTC, ISO 8601 with milliseconds"""
    duration_ms: int


class WebhookAttempts(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    attempts: List["WebhookAttempt"]


class WebhookDelivery(TypedDict):
    id: str
    """Identifier with the prefix `whd_`"""
    job_id: Optional[str]
    """Null for a test call"""
    event_type: Literal["analysis.completed", "analysis.failed", "analysis.canceled", "webhook.test"]
    status: Literal["pending", "delivering", "delivered", "failed"]
    attempt_count: int
    signature: str
    """The last one sent; before the first attempt, the one that will be"""
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    endpoint_id: Optional[str]
    """Null for a job's own webhook_url"""
    url: str
    next_attempt_at: Optional[str]
    last_status_code: Optional[int]
    last_error: Optional[str]
    body: str
    """What is sent, byte for byte: what the signature is over"""


class WebhookEndpoint(TypedDict):
    id: str
    """Identifier with the prefix `whe_`"""
    url: str
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    updated_at: str
    """UTC, ISO 8601 with milliseconds"""
    description: Optional[str]
    event_types: List[Literal["analysis.completed", "analysis.failed", "analysis.canceled"]]
    """Empty: every event"""
    status: Literal["active", "disabled"]
    disabled_reason: Optional[str]


class _WebhookEndpointRequestRequired(TypedDict):
    url: str


class WebhookEndpointRequest(_WebhookEndpointRequestRequired, total=False):
    description: Optional[str]
    event_types: Optional[List[Literal["analysis.completed", "analysis.failed", "analysis.canceled"]]]


class WebhookEndpointUpdate(TypedDict, total=False):
    url: str
    description: Optional[str]
    event_types: Optional[List[Literal["analysis.completed", "analysis.failed", "analysis.canceled"]]]
    status: Literal["active", "disabled"]


class WebhookTestPayloadData(TypedDict):
    job_id: None
    status: Literal["test"]
    endpoint_id: str
    """Identifier with the prefix `whe_`"""


class WebhookTestPayload(TypedDict):
    type: Literal["webhook.test"]
    timestamp: str
    """UTC, ISO 8601 with milliseconds"""
    data: "WebhookTestPayloadData"


class WorkspaceDeletion(TypedDict):
    workspace_id: str
    """Identifier with the prefix `ws_`"""
    status: Literal["deleting"]
    deleted_at: str
    """UTC, ISO 8601 with milliseconds"""


class WorkspaceEntry(TypedDict):
    workspace_id: str
    """Identifier with the prefix `ws_`"""
    workspace_name: str
    role: "WorkspaceRole"
    current: bool
    retention_days: Optional[int]
    """Days that finished analyses are kept; null: as long as the service keeps them"""
    retain_source: Union[Literal["as_asked", "never", "forever"], int]
    """How long the audio of songs is kept: `as_asked` (what each submission says with its own `retain_source`), `never`, days after the analysis, or `forever`"""


class WorkspaceList(TypedDict):
    workspaces: List["WorkspaceEntry"]
    set_aside: List["SetAsideWorkspace"]


WorkspaceRole = Literal["viewer", "member", "admin", "owner"]


class WorkspaceUpdate(TypedDict, total=False):
    """What is left out stays"""

    retention_days: Optional[int]
    retain_source: Union[Literal["as_asked", "never", "forever"], int]


ListAnalysesVoice = Literal["yes", "no"]


ListAnalysesStatus = Literal["queued", "processing", "completed", "failed", "canceled"]


ListAnalysesDuplicates = Literal["only", "hide"]


ListAnalysesSort = Literal["created_at", "-created_at", "title", "-title", "artist", "-artist", "bpm", "-bpm", "key", "-key", "energy", "-energy", "danceability", "-danceability", "loudness_lufs", "-loudness_lufs", "duration_seconds", "-duration_seconds"]


DeleteArtifactName = Literal["source"]


ExportAnalysisFormat = Literal["jams", "audacity", "lab-beats", "lab-chords", "lab-sections", "midi", "rekordbox-xml", "chordpro", "musicxml", "csv", "audiowaveform-json", "audiowaveform-dat", "spotify-audio-analysis", "spotify-audio-features"]


ListSimilarAnalysesBy = Literal["sound", "harmony", "rhythm", "all"]


ExportCollectionFormat = Literal["rekordbox", "traktor", "virtualdj", "serato", "m3u8", "csv", "jams", "chordpro"]


ProposeCollectionOrderBy = Literal["harmonic", "energy", "bpm"]
