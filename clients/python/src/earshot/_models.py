"""Public names of the generated types, and the types that the OpenAPI document does not have."""

from __future__ import annotations

from typing import Any, Dict, Literal, Optional, TypedDict

from ._types import (
    AnalysisEvent,
    AnalysisJob,
    AnalysisResult,
    ExportAnalysisFormat,
    ReportArtifact,
)
from ._types import AnalysisHints as Hints
from ._types import FullResult as Result
from ._types import JobStatus as Status

ExportFormat = ExportAnalysisFormat
ReportFormat = Literal["html", "pdf"]


class CompletedResult(TypedDict):
    """The result of a completed analysis."""

    job_id: str
    status: Literal["completed"]
    result: Result
    report_artifact: Optional[ReportArtifact]
    error: None


class WebhookEvent(TypedDict):
    type: str
    timestamp: str
    data: Dict[str, Any]


__all__ = [
    "AnalysisEvent",
    "AnalysisJob",
    "AnalysisResult",
    "CompletedResult",
    "ExportFormat",
    "Hints",
    "ReportFormat",
    "Result",
    "Status",
    "WebhookEvent",
]
