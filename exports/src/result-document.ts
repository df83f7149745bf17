/**
 * The `result` of the public interface (docs/result-format.md). The service and the command line both build it here, so they cannot
 * differ.
 */

import type { AudioFileInfo } from '@earshot/decode';
import type {
  AnalysisHints,
  AnalysisResult,
  FeatureGroup,
  ModelProvenance,
  SpectrumBands,
} from '@earshot/engine';
import { ENGINE_VERSION, summariseBands } from '@earshot/engine';
import type { CorrectionKind } from './corrections/corrections.ts';
import { type SnakeCaseKeys, snakeCaseKeys } from './snake-case.ts';

const SCHEMA_VERSION = '1';

export type FileFacts = AudioFileInfo & { sha256: string };

type Provenance = {
  schemaVersion: string;
  engineVersion: string;
  decoder: string;
  resampling: string;
  models: ModelProvenance[];
  analysedAt: string;
  analysisSeconds: number;
  options: { features: readonly FeatureGroup[] | null; hints: AnalysisHints };
};

type ResultSource = {
  analysis: AnalysisResult;
  file: FileFacts;
  analysedAt: Date;
  analysisSeconds: number;
  options: Provenance['options'];
  /** What enrichment providers know about the recording; absent where there are none, as on the command line. */
  enrichment?: readonly EnrichmentEntry[];
};

/** What every entry has. The rest, such as the recordings of a match, is not read here. */
type EnrichmentEntry = { provider: string; status: 'matched' | 'no_match' | 'unavailable' };

/** What is known of the file, with the names of the interface. */
type ResultFile = Omit<FileFacts, 'hasCoverArt' | 'decoder' | 'declaredDurationSeconds'> & {
  durationSeconds: number;
  coverArtPresent: boolean;
};

/** Which parts of a result a person has corrected, and what the engine heard there. */
export type ResultCorrections = {
  kinds: CorrectionKind[];
  heard: {
    bpm: number | null;
    timeSignature: number | null;
    firstDownbeatSeconds: number | null;
    keyNotation: string | null;
    camelot: string | null;
  };
  note: string | null;
  correctedBy: string;
  updatedAt: string;
};

type ResultGroups = Omit<
  AnalysisResult,
  'summary' | 'models' | 'durationSeconds' | 'supplement' | 'waveform'
> & {
  /** Results of earlier versions have no bands. */
  waveform: (NonNullable<AnalysisResult['waveform']> & { bands?: SpectrumBands | null }) | null;
};
export type ResultDocument = SnakeCaseKeys<
  { schemaVersion: string; engineVersion: string } & AnalysisResult['summary'] & {
      corrections: ResultCorrections | null;
      file: ResultFile;
    } & ResultGroups & {
      provenance: Provenance;
      enrichment: EnrichmentEntry[];
    }
>;

export type Rhythm = NonNullable<ResultDocument['rhythm']>;
export type Beat = Rhythm['beats'][number];
export type Tonal = NonNullable<ResultDocument['tonal']>;
export type Structure = NonNullable<ResultDocument['structure']>;
export type Section = Structure['sections'][number];
export type WaveformLevel = NonNullable<ResultDocument['waveform']>['levels'][number];

export function buildResultDocument(source: ResultSource): ResultDocument {
  const { summary, models, durationSeconds, supplement, waveform, ...groups } = source.analysis;
  const { hasCoverArt, decoder, declaredDurationSeconds: _, sha256, ...file } = source.file;
  return snakeCaseKeys({
    schemaVersion: SCHEMA_VERSION,
    engineVersion: ENGINE_VERSION,
    ...summary,
    corrections: null,
    file: { ...file, durationSeconds, sha256, coverArtPresent: hasCoverArt },
    ...groups,
    waveform: waveform && { ...waveform, bands: summariseBands(supplement.visuals.spectrogram) },
    provenance: {
      schemaVersion: SCHEMA_VERSION,
      engineVersion: ENGINE_VERSION,
      decoder,
      resampling: 'windowed sinc to 22050 Hz mono, unless that is the rate',
      models,
      analysedAt: source.analysedAt.toISOString(),
      analysisSeconds: source.analysisSeconds,
      options: source.options,
    },
    enrichment: [...(source.enrichment ?? [])],
  });
}
