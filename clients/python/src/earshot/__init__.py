"""Typed client for the Earshot API.

    from earshot import Earshot

    with Earshot(api_key="es_live_…", base_url="http://localhost:8080") as earshot:
        job = earshot.analyses.create(file="song.mp3")
        result = job.wait(on_progress=lambda job: print(job.progress))["result"]
        print(result["bpm"], result["key_notation"])
"""

from . import webhooks
from ._analyses import Analyses
from ._async_analyses import AsyncAnalyses
from ._async_client import AsyncEarshot
from ._async_job import AsyncJob
from ._async_library import AsyncCollections
from ._client import Earshot
from ._errors import (
    AnalysisFailed,
    ApiError,
    ConnectionFailed,
    EarshotError,
    WaitTimeout,
    WebhookVerificationError,
)
from ._job import Job
from ._library import Collections
from ._models import (
    AnalysisEvent,
    AnalysisJob,
    AnalysisResult,
    CompletedResult,
    ExportFormat,
    Hints,
    ReportFormat,
    Result,
    Status,
    WebhookEvent,
)
from ._types import (
    BulkOutcome,
    Collection,
    CollectionOrder,
    CollectionSummary,
    Correction,
    NextSong,
    SimilarSong,
)
from ._version import __version__

__all__ = [
    "__version__",
    "Analyses",
    "AnalysisEvent",
    "AnalysisFailed",
    "AnalysisJob",
    "AnalysisResult",
    "ApiError",
    "AsyncAnalyses",
    "AsyncCollections",
    "AsyncEarshot",
    "AsyncJob",
    "BulkOutcome",
    "Collection",
    "CollectionOrder",
    "CollectionSummary",
    "Collections",
    "CompletedResult",
    "ConnectionFailed",
    "Correction",
    "Earshot",
    "EarshotError",
    "ExportFormat",
    "Hints",
    "Job",
    "NextSong",
    "ReportFormat",
    "Result",
    "SimilarSong",
    "Status",
    "WaitTimeout",
    "WebhookEvent",
    "WebhookVerificationError",
    "webhooks",
]
