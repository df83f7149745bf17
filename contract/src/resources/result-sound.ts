import { z } from 'zod';
import { confidence, count, seconds } from '../wire-values.ts';

/**
 * The groups of a result about sound: loudness, quality, timbre, content, waveform, fingerprint, tags. docs/result-format.md describes
 * them at length.
 */

const Curve = z
  .object({ hop_seconds: z.number(), start_seconds: z.number(), values: z.array(z.number().nullable()) })
  .meta({
    id: 'Curve',
    description:
      'Values at equal steps: value i belongs to `start_seconds + i * hop_seconds`. Null where there is nothing to measure',
  });

export const ResultLoudness = z
  .object({
    integrated_lufs: z.number().nullable(),
    range_lu: z.number().nullable(),
    momentary_max_lufs: z.number().nullable(),
    short_term_max_lufs: z.number().nullable(),
    true_peak_dbtp: z.number().nullable(),
    sample_peak_dbfs: z.number().nullable(),
    plr_lu: z.number().nullable(),
    replay_gain: z.object({ track_gain_db: z.number().nullable(), track_peak: z.number() }),
    momentary: Curve,
    short_term: Curve,
    platforms: z.array(
      z.object({
        platform: z.enum(['spotify', 'apple_music', 'youtube', 'tidal', 'amazon_music', 'podcast']),
        target_lufs: z.number(),
        gain_db: z.number().nullable().meta({ description: 'What the platform will apply' }),
        true_peak_after_dbtp: z.number().nullable().meta({ description: 'True peak after that gain' }),
        limited: z.boolean().meta({ description: 'Whether the gain stays below what the target asks for' }),
      }),
    ),
  })
  .meta({ id: 'ResultLoudness' });

const Stereo = z.object({
  correlation: z.number().meta({ description: '1 identical, 0 unrelated, -1 inverted' }),
  width: z
    .number()
    .meta({ description: 'Share of the energy in the side signal: 0 mono, 0.5 unrelated, 1 inverted' }),
  correlation_curve: Curve,
  width_curve: Curve,
  mono_loss_db: z.number().meta({ description: 'Level lost when the channels are mixed to mono' }),
  imbalance_db: z.number().meta({ description: 'Level of the left channel over the right one' }),
  phase_inverted: z.boolean(),
});

export const ResultQuality = z
  .object({
    events: z.array(
      z.object({
        kind: z.enum(['clipping', 'dropout', 'silence', 'click']),
        start_seconds: seconds,
        end_seconds: seconds,
        channel: count.nullable().meta({ description: 'Counted from 0; null if it is in all channels' }),
        severity: z.number().meta({
          description:
            '0 to 1, not comparable between kinds. Clipping: the share of its time that is clipped. Dropout: the lower of the peaks before and after the gap, relative to full scale. Silence: its length in units of 10 s. Click: the second difference of the samples, relative to full scale, which is twice the height of a single wrong sample',
        }),
      }),
    ),
    event_counts: z
      .object({ clipping: count, dropout: count, silence: count, click: count })
      .meta({ description: 'Counts all events; `events` lists the first 200 of each kind' }),
    dc_offset: z.array(z.number()),
    noise_floor_dbfs: z
      .number()
      .nullable()
      .meta({ description: 'An upper bound: the level that 98 % of the recording exceeds' }),
    hum: z
      .object({ frequency_hz: z.union([z.literal(50), z.literal(60)]), level_dbfs: z.number(), confidence })
      .nullable(),
    bandwidth_hz: z.number().nullable(),
    lossy_transcode: z.object({
      verdict: z.enum(['likely', 'unlikely', 'unknown']),
      cutoff_hz: z.number().nullable(),
      confidence,
    }),
    stereo: Stereo.nullable(),
    non_finite_samples: count,
  })
  .meta({ id: 'ResultQuality' });

export const ResultTimbre = z
  .object({
    mfcc_mean: z.array(z.number()),
    mfcc_covariance: z.array(z.array(z.number())),
    centroid_hz: z.number().nullable(),
    rolloff_hz: z.number().nullable(),
    flatness: z.number().nullable(),
    flux: z.number().nullable(),
    contrast_db: z.array(z.number()),
    tonal_balance: z.array(
      z.object({
        band: z.string(),
        low_hz: z.number(),
        high_hz: z.number(),
        level_db: z.number(),
        reference_db: z.number(),
        deviation_db: z.number(),
      }),
    ),
  })
  .meta({ id: 'ResultTimbre' });

export const ResultContent = z
  .object({
    regions: z.array(
      z.object({
        start_seconds: seconds,
        end_seconds: seconds,
        kind: z.enum(['music', 'speech', 'silence', 'noise']),
        confidence,
      }),
    ),
    voice_presence: z.number().nullable().meta({ description: 'Share of the recording with a voice' }),
    voice_presence_confidence: confidence.nullable(),
    voice_spans: z
      .array(
        z.object({
          start_seconds: seconds,
          end_seconds: seconds,
          kind: z.enum(['sung', 'rapped', 'spoken']),
          confidence,
        }),
      )
      .optional(),
    voice_curve: Curve.nullable().optional().meta({
      description: 'Probability of a voice in steps of 0.1 s; null if the voice network was not run',
    }),
  })
  .meta({ id: 'ResultContent' });

const NamedTag = z
  .object({
    label: z.string().meta({ examples: ['jazz'] }),
    confidence,
    spans: z
      .array(z.object({ start_seconds: seconds, end_seconds: seconds, confidence }))
      .meta({ description: 'The sections it applies to' }),
  })
  .meta({ id: 'NamedTag', description: 'A term of the published taxonomy' });

export const ResultTags = z
  .object({
    genres: z.array(NamedTag),
    moods: z.array(NamedTag),
    instruments: z.array(NamedTag),
    eras: z.array(NamedTag),
  })
  .meta({ id: 'ResultTags', description: 'Best first' });

const bandLevels = z.array(z.int().min(0).max(255));
const WaveformBands = z
  .object({ hop_seconds: z.number(), low: bandLevels, mid: bandLevels, high: bandLevels })
  .meta({
    id: 'WaveformBands',
    description:
      'Levels of lows (to 200 Hz), mids and highs (from 2 kHz) over time; 255 is the loudest moment of each band',
  });

export const ResultWaveform = z
  .object({
    levels: z.array(
      z.object({
        version: z.literal(2),
        channels: count,
        sample_rate: z.number(),
        samples_per_pixel: z.number(),
        bits: z.literal(8),
        length: count,
        data: z.array(z.int()),
      }),
    ),
    bands: WaveformBands.nullish().meta({ description: 'Absent from results of earlier versions' }),
  })
  .meta({ id: 'ResultWaveform', description: "Zoom levels in audiowaveform's JSON format, finest first" });

export const ResultFingerprint = z
  .object({
    chromaprint: z.string().nullable().meta({ description: 'As fpcalc prints it' }),
    chromaprint_duration_seconds: z.number().meta({ description: 'Length of the audio it covers' }),
    embedding: z
      .array(z.number())
      .nullable()
      .meta({ description: 'Unit vector; the dot product of two is their similarity' }),
    embedding_version: z.int().optional().meta({
      description: 'Version of the layout; absent means 1. Vectors of different versions cannot be compared',
    }),
  })
  .meta({ id: 'ResultFingerprint' });
