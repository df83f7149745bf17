"""Shapes of the API. A result has more than is named here: docs/result-format.md is the whole of it."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict

Status = Literal["queued", "processing", "completed", "failed", "canceled"]
ExportFormat = Literal[
    "jams",
    "audacity",
    "lab-beats",
    "lab-chords",
    "lab-sections",
    "midi",
    "rekordbox-xml",
    "csv",
    "audiowaveform-json",
    "audiowaveform-dat",
    "spotify-audio-analysis",
    "spotify-audio-features",
]
ReportFormat = Literal["html", "pdf"]


class Failure(TypedDict):
    code: str
    message: str
    retryable: bool


class Headline(TypedDict):
    duration_seconds: float
    bpm: Optional[float]
    key_notation: Optional[str]
    camelot: Optional[str]
    loudness_lufs: Optional[float]


class AnalysisJob(TypedDict):
    id: str
    status: Status
    source_url: str
    idempotent_replay: bool
    created_at: str
    updated_at: str
    storage_object_id: Optional[str]
    webhook_url: Optional[str]
    features: Optional[List[str]]
    metadata: Dict[str, str]
    stage: Optional[str]
    progress: float
    attempt: int
    started_at: Optional[str]
    completed_at: Optional[str]
    error: Optional[Failure]
    file_name: Optional[str]
    headline: Optional[Headline]


class Result(TypedDict):
    schema_version: str
    engine_version: str
    duration_seconds: float
    bpm: Optional[float]
    bpm_confidence: Optional[float]
    time_signature: Optional[int]
    key: Optional[str]
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
    file: Dict[str, Any]
    rhythm: Optional[Dict[str, Any]]
    tonal: Optional[Dict[str, Any]]
    structure: Optional[Dict[str, Any]]
    loudness: Optional[Dict[str, Any]]
    quality: Optional[Dict[str, Any]]
    timbre: Optional[Dict[str, Any]]
    content: Optional[Dict[str, Any]]
    waveform: Optional[Dict[str, Any]]
    fingerprint: Optional[Dict[str, Any]]
    provenance: Dict[str, Any]
    enrichment: List[Dict[str, Any]]


class ReportArtifact(TypedDict):
    id: str
    formats: Dict[str, str]
    created_at: str
    expires_at: Optional[str]


class AnalysisResult(TypedDict):
    job_id: str
    status: Status
    result: Optional[Result]
    report_artifact: Optional[ReportArtifact]
    error: Optional[Failure]


class CompletedResult(TypedDict):
    """The answer for an analysis that has a result."""

    job_id: str
    status: Literal["completed"]
    result: Result
    report_artifact: Optional[ReportArtifact]
    error: None


class AnalysisEvent(TypedDict):
    id: str
    event_type: str
    message: str
    metadata: Dict[str, Any]
    created_at: str


class WebhookEvent(TypedDict):
    type: str
    timestamp: str
    data: Dict[str, Any]


class Hints(TypedDict, total=False):
    """What you know already; each narrows the search."""

    bpm: float
    bpm_min: float
    bpm_max: float
    key: str
    time_signature: int
