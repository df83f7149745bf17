"""What crosses the wire, as types: `dict` at run time, checked by mypy and shown by editors.

Written from the OpenAPI document by `npm run openapi`; do not edit.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class AnalysisEvent(TypedDict):
    id: str
    """Identifier with the prefix `evt_`"""
    event_type: Literal["job.queued", "job.started", "job.retrying", "source.downloaded", "audio.decoded", "analysis.progress", "enrichment.completed", "job.completed", "job.failed", "job.canceled", "source.deleted", "webhook.queued", "webhook.delivered", "webhook.failed"]
    message: str
    metadata: Dict[str, Any]
    created_at: str
    """UTC, ISO 8601 with milliseconds"""


class AnalysisFailure(TypedDict):
    code: "FailureCode"
    message: str
    retryable: bool
    """Whether the same request may succeed later"""


class AnalysisHints(TypedDict, total=False):
    """What is already known about the song. Each hint narrows the search"""

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
    """The URL as given; for an upload, `storage://<bucket>/<key>` of its storage object"""
    idempotent_replay: bool
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    updated_at: str
    """UTC, ISO 8601 with milliseconds"""
    storage_object_id: Optional[str]
    webhook_url: Optional[str]
    features: Optional[List[Literal["rhythm", "tonal", "structure", "loudness", "quality", "timbre", "content", "waveform", "fingerprint", "tags"]]]
    """Null for all groups"""
    metadata: Dict[str, str]
    stage: Optional[str]
    progress: float
    attempt: int
    started_at: Optional[str]
    completed_at: Optional[str]
    error: Optional["AnalysisFailure"]
    file_name: Optional[str]
    """The file name of the upload"""
    retain_source: bool
    """Whether the audio is kept after the analysis"""
    source_available: bool
    """Whether the audio is stored, so that it can be played (`artifacts/source`) and analysed again"""
    source_expires_at: Optional[str]
    """When the retention policy of the workspace deletes the audio; null if it does not"""
    headline: Optional["JobHeadline"]
    """Null until the job is completed"""


class AnalysisResult(TypedDict):
    job_id: str
    """Identifier with the prefix `job_`"""
    status: "JobStatus"
    result: Optional["FullResult"]
    report_artifact: Optional["ReportArtifact"]
    error: Optional["AnalysisFailure"]


class BeatEditsMoveItem(TypedDict):
    from_seconds: float
    to_seconds: float


class BeatEdits(TypedDict, total=False):
    """Changes to individual beats, applied after tempo and bars. A beat is identified by its time"""

    remove: Optional[List[float]]
    """In seconds"""
    move: Optional[List["BeatEditsMoveItem"]]
    add: Optional[List[float]]
    """In seconds"""


class BulkOutcome(TypedDict):
    action: Literal["tag", "untag", "delete", "add_to_collection", "analyse_again", "export"]
    matched: int
    """The number of songs selected"""
    changed: int
    """The number of songs that the action changed"""
    job_ids: List[str]
    """The ids of the new analyses for `analyse_again`; otherwise empty"""


class Chord(TypedDict):
    start_seconds: float
    end_seconds: float
    label: str
    """Harte syntax; `N` is no chord"""
    roman: Optional[str]
    """Roman numeral in the key at its time; null without a key or a chord"""
    bar: Optional[int]
    """Bar in which it starts, counted from 0; null without beats"""
    beat: Optional[int]
    """Beat of that bar, counted from 1; null without beats"""
    confidence: float


class Collection(TypedDict):
    id: str
    """Identifier with the prefix `col_`"""
    name: str
    description: Optional[str]
    version: int
    """Incremented by every change; the `ETag` is this number in quotes"""
    item_count: int
    duration_seconds: float
    """Total length of its songs"""
    created_at: str
    """UTC, ISO 8601 with milliseconds"""
    updated_at: str
    """UTC, ISO 8601 with milliseconds"""
    items: List["CollectionItem"]


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
    """Why the song comes here, in words"""
    tempo_shift_percent: Optional[float]
    """The change of speed that matches the tempo of the previous song, at half or double time if that is closer"""
    key_relation: Optional[str]
    energy_step: Optional[float]


class CollectionOrder(TypedDict):
    """A proposal; the collection is not changed"""

    by: Literal["harmonic", "energy", "bpm"]
    steps: List["CollectionOrderStepsItem"]


class CollectionSummary(TypedDict):
    id: str
    """Identifier with the prefix `col_`"""
    name: str
    description: Optional[str]
    version: int
    """Incremented by every change; the `ETag` is this number in quotes"""
    item_count: int
    duration_seconds: float
    """Total length of its songs"""
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
    """Sections with the same letter repeat the same music"""


class Correction(TypedDict):
    """What a person corrected; all fields are null if nothing has been corrected"""

    job_id: str
    """Identifier with the prefix `job_`"""
    kinds: List[Literal["tempo", "bars", "beats", "key", "chords", "sections"]]
    """What has been corrected"""
    tempo: Optional[Union[Literal["double", "half", "triple", "third"], float]]
    bpm: Optional[float]
    """The tempo that `tempo` results in"""
    first_downbeat_seconds: Optional[float]
    shift_beats: Optional[int]
    beats_per_bar: Optional[int]
    key: Optional[str]
    sections: Optional[List["CorrectedSection"]]
    """As given"""
    chords: Optional[List["CorrectedChord"]]
    beats: Optional["BeatEdits"]
    note: Optional[str]
    corrected_by: Optional[str]
    updated_at: Optional[str]


class Curve(TypedDict):
    """Values at equal steps: value i belongs to `start_seconds + i * hop_seconds`. Null where there is nothing to measure"""

    hop_seconds: float
    start_seconds: float
    values: List[Optional[float]]


FailureCode = Literal["unsupported_format", "corrupt_audio", "no_audio", "too_long", "too_large", "download_failed", "download_forbidden", "timed_out", "internal", "canceled"]


class FullResult(TypedDict):
    """The fields of the summary and all groups"""

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
    """What a person has corrected; null if nothing"""
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


class JobHeadline(TypedDict):
    """The values shown in a list of songs"""

    duration_seconds: float
    bpm: Optional[float]
    key_notation: Optional[str]
    camelot: Optional[str]
    loudness_lufs: Optional[float]
    title: Optional[str]
    """Set by a person, otherwise from the tags of the file, otherwise the file name"""
    artist: Optional[str]
    album: Optional[str]
    genre: Optional[str]
    """From the tags of the file, otherwise the first suggestion"""
    mood: Optional[str]
    energy: Optional[float]
    danceability: Optional[float]
    valence: Optional[float]
    voice: Optional[bool]
    """Whether there is a voice; null if unknown"""
    artwork: bool
    """Whether the file contains cover art"""
    tags: List[str]
    note: Optional[str]
    rating: Optional[int]
    waveform: Optional[List[int]]
    """120 peak values over the length of the song"""
    same_recording_as: Optional[str]
    """The first analysis of the same recording; null if this is the first"""
    corrected: bool
    """Whether a person has corrected the result"""


JobStatus = Literal["queued", "processing", "completed", "failed", "canceled"]


class NamedTagSpansItem(TypedDict):
    start_seconds: float
    end_seconds: float
    confidence: float


class NamedTag(TypedDict):
    """A term of the published taxonomy"""

    label: str
    confidence: float
    spans: List["NamedTagSpansItem"]
    """The sections it applies to"""


class NextSong(TypedDict):
    job: "AnalysisJob"
    score: float
    key_relation: Optional[str]
    tempo_shift_percent: Optional[float]
    """The change of speed that matches the tempo of the previous song, at half or double time if that is closer; at most 8 %"""
    energy_step: Optional[float]
    reason: str


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
    """Share of the recording with a voice"""
    voice_presence_confidence: Optional[float]


class ResultContent(_ResultContentRequired, total=False):
    voice_spans: List["ResultContentVoiceSpansItem"]
    voice_curve: Optional["Curve"]
    """Probability of a voice in steps of 0.1 s; null if the voice network was not run"""


class ResultCorrectionsHeard(TypedDict):
    bpm: Optional[float]
    time_signature: Optional[int]
    first_downbeat_seconds: Optional[float]
    key_notation: Optional[str]
    camelot: Optional[str]


class ResultCorrections(TypedDict):
    kinds: List[Literal["tempo", "bars", "beats", "key", "chords", "sections"]]
    """What has been corrected"""
    heard: "ResultCorrectionsHeard"
    note: Optional[str]
    corrected_by: str
    """Id of the user, or of the user who created the API key"""
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
    """title, artist, album, isrc, … as stored in the file"""
    cover_art_present: Optional[bool]


class _ResultFingerprintRequired(TypedDict):
    chromaprint: Optional[str]
    """As fpcalc prints it"""
    chromaprint_duration_seconds: float
    """Length of the audio it covers"""
    embedding: Optional[List[float]]
    """Unit vector; the dot product of two is their similarity"""


class ResultFingerprint(_ResultFingerprintRequired, total=False):
    embedding_version: int
    """Version of the layout; absent means 1. Vectors of different versions cannot be compared"""


class ResultLoudnessReplayGain(TypedDict):
    track_gain_db: Optional[float]
    track_peak: float


class ResultLoudnessPlatformsItem(TypedDict):
    platform: Literal["spotify", "apple_music", "youtube", "tidal", "amazon_music", "podcast"]
    target_lufs: float
    gain_db: Optional[float]
    """What the platform will apply"""
    true_peak_after_dbtp: Optional[float]
    """True peak after that gain"""
    limited: bool
    """Whether the gain stays below what the target asks for"""


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
    """Counted from 0; null if it is in all channels"""
    severity: float
    """0 to 1, not comparable between kinds. Clipping: the share of its time that is clipped. Dropout: the lower of the peaks before and after the gap, relative to full scale. Silence: its length in units of 10 s. Click: the second difference of the samples, relative to full scale, which is twice the height of a single wrong sample"""


class ResultQualityEventCounts(TypedDict):
    """Counts all events; `events` lists the first 200 of each kind"""

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
    """1 identical, 0 unrelated, -1 inverted"""
    width: float
    """Share of the energy in the side signal: 0 mono, 0.5 unrelated, 1 inverted"""
    correlation_curve: "Curve"
    width_curve: "Curve"
    mono_loss_db: float
    """Level lost when the channels are mixed to mono"""
    imbalance_db: float
    """Level of the left channel over the right one"""
    phase_inverted: bool


class ResultQuality(TypedDict):
    events: List["ResultQualityEventsItem"]
    event_counts: "ResultQualityEventCounts"
    """Counts all events; `events` lists the first 200 of each kind"""
    dc_offset: List[float]
    noise_floor_dbfs: Optional[float]
    """An upper bound: the level that 98 % of the recording exceeds"""
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
    """0 to 1"""


class ResultRhythmSwing(TypedDict):
    ratio: float
    """Share of the first eighth note in a beat: 0.5 is straight, 0.667 triplet swing"""
    confidence: float


class ResultRhythm(TypedDict):
    bpm: Optional[float]
    """Tempo measured from the beats, unrounded"""
    confidence: Optional[float]
    alternatives: List["ResultRhythmAlternativesItem"]
    """The tempi it could be counted in, the most probable first; weights below 0.5 % are left out, so that they add up to at most 1"""
    stability: Optional[float]
    """Steadiness of the tempo from 0 to 1; 1 is a metronome"""
    tempo_curve: List["ResultRhythmTempoCurveItem"]
    beats: List["ResultRhythmBeatsItem"]
    downbeats: List["ResultRhythmDownbeatsItem"]
    time_signature: Optional["ResultRhythmTimeSignature"]
    onsets: List["ResultRhythmOnsetsItem"]
    onset_rate_hz: float
    """Onsets per second"""
    swing: Optional["ResultRhythmSwing"]


class ResultStructureSegments(TypedDict):
    fade_in_end_seconds: Optional[float]
    fade_out_start_seconds: Optional[float]


class ResultStructure(TypedDict):
    sections: List["Section"]
    segments: "ResultStructureSegments"


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
    """The next most probable keys"""
    key_changes: List["ResultTonalKeyChangesItem"]
    tuning_hz: Optional[float]
    """Frequency of A4"""
    tuning_cents: Optional[float]
    """Offset from A4 = 440 Hz"""
    chords: List["Chord"]
    """Spans of major, minor and no chord"""
    chords_sevenths: List["Chord"]
    """The same with sevenths, suspensions, diminished and augmented chords"""
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
    """Zoom levels in audiowaveform's JSON format, finest first"""

    bands: Optional["WaveformBands"]
    """Absent from results of earlier versions"""


class Section(TypedDict):
    start_seconds: float
    end_seconds: float
    label: Literal["intro", "verse", "pre-chorus", "chorus", "bridge", "instrumental", "break", "outro"]
    label_confidence: float
    group: str
    """A, B, …: sections with the same letter repeat the same music"""
    confidence: float
    """Of the boundary at its start; for the first section, at its end"""
    start_bar: Optional[int]
    """Whole bars before it; null without beats"""
    bpm: Optional[float]
    key: Optional[str]
    loudness_lufs: Optional[float]
    energy: Optional[float]
    """Relative to the loudest section, which has 1; 0 is 20 LU below it or quieter. Unlike the energy of the whole song"""


class SimilarSong(TypedDict):
    job: "AnalysisJob"
    similarity: float
    """1 for the song itself"""
    reason: str


class WaveformBands(TypedDict):
    """Levels of lows (to 200 Hz), mids and highs (from 2 kHz) over time; 255 is the loudest moment of each band"""

    hop_seconds: float
    low: List[int]
    mid: List[int]
    high: List[int]


ExportAnalysisFormat = Literal["jams", "audacity", "lab-beats", "lab-chords", "lab-sections", "midi", "rekordbox-xml", "chordpro", "musicxml", "csv", "audiowaveform-json", "audiowaveform-dat", "spotify-audio-analysis", "spotify-audio-features"]
