import type { CorrectionKind } from './corrections/corrections.ts';
import { type ExportSource, songAlbum, songArtist, songTitle } from './export-source.ts';

/** JAMS 0.3.5 (Humphrey et al., ISMIR 2014): one JSON file with an annotation for each kind of observation. */

const JAMS_VERSION = '0.3.5';

type Observation = { time: number; duration: number; value: unknown; confidence: number | null };

export function writeJams(source: ExportSource): string {
  const { rhythm, tonal, structure, tags, content, duration_seconds } = source.document;
  const wholeSong = { time: 0, duration: duration_seconds };
  // The schema of JAMS requires a number as the confidence of a tempo.
  const tempo = rhythm && { ...wholeSong, value: rhythm.bpm, confidence: rhythm.confidence ?? 0 };
  const found: [namespace: string, data: Observation[] | null | undefined][] = [
    ['tempo', tempo && tempo.value !== null ? [tempo] : null],
    ['beat', rhythm?.beats.map((beat) => point(beat, beat.beat_in_bar, beat.confidence))],
    ['beat_position', rhythm && beatPositions(rhythm)],
    ['onset', rhythm?.onsets.map((onset) => point(onset, null, null))],
    ['key_mode', tonal?.key_changes.map((k) => span(k, `${k.key}:${k.scale}`, k.confidence))],
    ['chord', tonal?.chords_sevenths.map((c) => span(c, c.label, c.confidence))],
    ['segment_salami_function', structure?.sections.map((s) => span(s, s.label, s.label_confidence))],
    ['segment_open', structure?.sections.map((s) => span(s, s.group, s.confidence))],
    [
      'tag_open',
      tags &&
        Object.values(tags).flatMap((named) =>
          named.map(({ label, confidence }) => ({ ...wholeSong, value: label, confidence })),
        ),
    ],
    [
      'tag_open',
      content?.voice_presence == null
        ? null
        : content.voice_spans.map((voice) => span(voice, `voice, ${voice.kind}`, voice.confidence)),
    ],
  ];
  return JSON.stringify({
    file_metadata: {
      title: songTitle(source),
      artist: songArtist(source) ?? '',
      release: songAlbum(source) ?? '',
      duration: duration_seconds,
      identifiers: { earshot: source.analysisId },
      jams_version: JAMS_VERSION,
    },
    annotations: found.flatMap(([namespace, data]) => (data ? [annotation(source, namespace, data)] : [])),
    sandbox: {},
  });
}

/** The kinds of correction that affect an annotation. The value of a beat is its place in the bar. */
const KINDS_OF: Partial<Record<string, readonly CorrectionKind[]>> = {
  tempo: ['tempo'],
  beat: ['tempo', 'bars', 'beats'],
  beat_position: ['tempo', 'bars', 'beats'],
  key_mode: ['key'],
  chord: ['chords'],
  segment_salami_function: ['sections'],
  segment_open: ['sections'],
};

function annotation(source: ExportSource, namespace: string, data: Observation[]) {
  const isCorrected = source.document.corrections?.kinds.some((kind) => KINDS_OF[namespace]?.includes(kind));
  const { engine_version, schema_version } = source.document.provenance;
  return {
    namespace,
    time: 0,
    duration: source.document.duration_seconds,
    annotation_metadata: {
      curator: { name: '', email: '' },
      annotator: {},
      version: schema_version,
      corpus: '',
      annotation_tools: `Earshot engine ${engine_version}`,
      annotation_rules: '',
      validation: '',
      data_source: isCorrected ? 'program, corrected by hand' : 'program',
    },
    data,
    sandbox: {},
  };
}

function beatPositions(rhythm: NonNullable<ExportSource['document']['rhythm']>): Observation[] {
  const meters = rhythm.time_signature?.changes ?? [];
  return rhythm.beats.map((beat) => {
    const meter = meters.find(
      (m) => m.start_seconds <= beat.time_seconds && beat.time_seconds < m.end_seconds,
    );
    const beatsPerBar = meter?.beats_per_bar ?? rhythm.time_signature?.beats_per_bar ?? beat.beat_in_bar;
    return point(
      beat,
      {
        position: beat.beat_in_bar,
        measure: beat.bar,
        num_beats: Math.max(beatsPerBar, beat.beat_in_bar),
        beat_units: 4,
      },
      beat.confidence,
    );
  });
}

function point(at: { time_seconds: number }, value: unknown, confidence: number | null): Observation {
  return { time: at.time_seconds, duration: 0, value, confidence };
}

function span(
  over: { start_seconds: number; end_seconds: number },
  value: unknown,
  confidence: number | null,
): Observation {
  return { time: over.start_seconds, duration: over.end_seconds - over.start_seconds, value, confidence };
}
