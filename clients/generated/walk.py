"""
A journey through the API with the client that openapi-python-client generates from contract/openapi.json, checked by mypy.
`npm run test:python` generates `earshot_generated` in a temporary folder.
"""

import sys
import time
import uuid
from io import BytesIO
from pathlib import Path

from earshot_generated import AuthenticatedClient, Client
from earshot_generated.api.analyses import cancel_analysis
from earshot_generated.api.authentication import register_account
from earshot_generated.api.key_based_analysis import (
    analyze_upload,
    analyze_url,
    create_batch,
    get_key_analysis,
    get_key_analysis_full,
)
from earshot_generated.api.usage import get_usage
from earshot_generated.models import (
    AcceptedAnalysis,
    AcceptedBatch,
    AnalysisHints,
    AnalyzeUploadBody,
    AnalyzeUploadBodyFeaturesType0Item as Feature,
    BatchRequest,
    KeyAnalysis,
    KeyAnalysisFull,
    KeyJobStatus,
    KeyUsage,
    Problem,
    Registration,
    RegistrationRequest,
    UrlAnalysisRequest,
    ValidationProblem,
)
from earshot_generated.types import File

NOWHERE = "http://127.0.0.1:9/nothing-there.wav"


def register(url: str) -> AuthenticatedClient:
    email = f"generated-{uuid.uuid4().hex}@example.com"
    answer = register_account.sync(client=Client(base_url=url), body=RegistrationRequest(email=email))
    assert isinstance(answer, Registration), answer
    return AuthenticatedClient(base_url=url, token=answer.api_key, prefix="", auth_header_name="X-API-Key")


def wait(client: AuthenticatedClient, job_id: str) -> KeyAnalysis:
    deadline_seconds = time.monotonic() + 60
    while time.monotonic() < deadline_seconds:
        answer = get_key_analysis.sync(job_id, client=client)
        assert isinstance(answer, KeyAnalysis), answer
        if answer.status != KeyJobStatus.PROCESSING:
            return answer
        time.sleep(0.2)
    raise AssertionError(f"{job_id} did not finish")


def count(client: AuthenticatedClient) -> int:
    usage = get_usage.sync(client=client)
    assert isinstance(usage, KeyUsage), usage
    return usage.count


def walk(url: str, song: Path) -> None:
    client = register(url)
    assert count(client) == 0

    accepted = analyze_upload.sync(
        client=client,
        body=AnalyzeUploadBody(
            file=File(payload=BytesIO(song.read_bytes()), file_name=song.name, mime_type="audio/ogg"),
            features=[Feature.RHYTHM, Feature.LOUDNESS],
            hints=AnalysisHints(bpm_min=60, bpm_max=180),
        ),
        idempotency_key="generated-upload",
    )
    assert isinstance(accepted, AcceptedAnalysis), accepted
    done = wait(client, accepted.job_id)
    assert done.status == KeyJobStatus.COMPLETED and done.error is None and done.result is not None, done
    full = get_key_analysis_full.sync(accepted.job_id, client=client)
    assert isinstance(full, KeyAnalysisFull) and full.result is not None, full
    assert full.result.loudness is not None and full.result.to_dict().get("tonal") is None, full

    batch = create_batch.sync(client=client, body=BatchRequest(urls=[NOWHERE, NOWHERE]))
    assert isinstance(batch, AcceptedBatch) and len(batch.jobs) == 2, batch
    for job in batch.jobs:
        # It is canceled, or its download has failed already: neither is charged.
        cancel_analysis.sync(job.job_id, client=client)
        ended = wait(client, job.job_id)
        assert ended.status == KeyJobStatus.FAILED and isinstance(ended.error, str), ended
    assert count(client) == 1

    wrong = analyze_url.sync(client=client, body=UrlAnalysisRequest(url="nonsense"))
    assert isinstance(wrong, ValidationProblem) and wrong.detail[0].loc == ["body", "url"], wrong
    missing = get_key_analysis.sync("job_unknown", client=client)
    assert isinstance(missing, Problem) and missing.code == "not_found", missing
    stranger = AuthenticatedClient(base_url=url, token="nonsense", prefix="", auth_header_name="X-API-Key")
    refused = get_usage.sync(client=stranger)
    assert isinstance(refused, Problem) and refused.code == "unauthorized", refused


if __name__ == "__main__":
    walk(sys.argv[1], Path(sys.argv[2]))
    print("The generated Python client walked the journey")
