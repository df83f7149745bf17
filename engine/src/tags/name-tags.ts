/**
 * Which words fit? From logits to words: which genres, moods, instruments and decades stand out, with what confidence, and in which sections.
 *
 * A score is how far a word lies above its mean over recordings, in spreads (standard deviations, tag-norms.ts). Genres exclude one another: their
 * scores, and one for "no genre", go through one softmax, whose steepness makes the confidence of the first genre match how often it is right
 * (docs/accuracy.md). Moods, instruments and decades do not: each score has a logistic function to itself. Thresholds without a reason of their own
 * were tuned on the dev recordings.
 */

import { logistic } from '../logistic.ts';
import type { NamedTag, Tags } from '../result.ts';
import type { HeardTags } from './hear-tags.ts';
import { isInside, type Span } from './patch-choice.ts';
import { TAG_NORMS } from './tag-norms.ts';
import {
  ERAS,
  GENRES,
  INSTRUMENTS,
  MOODS,
  TAXONOMY,
  type TaggerName,
  type TaxonomyEntry,
} from './taxonomy.ts';

/** By cross-validation on the dev recordings; values from 3 to 4 are equally good. */
const GENRE_STEEPNESS_PER_SPREAD = 3.6;
/** How much more a narrow genre has to stand out than one of the ten broad ones. */
const NARROW_GENRE_COST_SPREADS = 1.5;
/** A genre that is usually sung loses this much for every spread by which `instrumental` stands out beyond INSTRUMENTAL_MIN_SPREADS. */
const SUNG_COST_SPREADS = 1.5;
const INSTRUMENTAL = 'msd:instrumental';
const INSTRUMENTAL_MIN_SPREADS = 1;
/** The score of "no genre". Where that is likelier than the first genre, none is named. */
const NO_GENRE_SPREADS = 0.7;
const NO_GENRE = 'none of them';
/** Genres below these confidences are not listed; the first three are listed at lower ones than the rest. */
const GENRE_CONFIDENCE_MIN = 0.02;
const LEADING_GENRE_CONFIDENCE_MIN = 0.01;
const LEADING_GENRES = 3;
/** Below this confidence of the first genre, none is named. */
const FIRST_GENRE_CONFIDENCE_MIN = 0.2;
/** The same below this musicality: church bells were rock with a confidence just below it. */
const DOUBTFUL_GENRE_CONFIDENCE_MIN = 0.3;
const DOUBTFUL_MUSICALITY_MAX_LOG_ODDS = 2;
const GENRES_MAX = 5;
/**
 * Sound in which the genre `experimental` scores higher is named only if its musicality is plain: engines, water and machines score so high, and so
 * does some music.
 */
const STRANGENESS_MAX_SPREADS = 2.2;
const PLAIN_MUSICALITY_MIN_LOG_ODDS = 1;
const STRANGE = GENRES.find(({ label }) => label === 'experimental')!;
/** For moods, instruments and decades: the score at which the confidence is 0.5, the slope of the logistic function, and the least that is named. */
const EVEN_ODDS_SPREADS = 0.8;
const LOGISTIC_SLOPE_PER_SPREAD = 1.7;
const WORD_CONFIDENCE_MIN = 0.6;
const WORDS_MAX = { moods: 5, instruments: 8, eras: 2 };

export function nameTags(heard: HeardTags, sections: readonly Span[], musicalityLogOdds: number): Tags {
  const whole = scoreAll(heard, () => true);
  const isStrange =
    musicalityLogOdds < PLAIN_MUSICALITY_MIN_LOG_ODDS &&
    whole !== null &&
    whole.get(STRANGE)! > STRANGENESS_MAX_SPREADS;
  if (whole === null || isStrange) return { genres: [], moods: [], instruments: [], eras: [] };
  const places = sections
    .map((span) => ({ span, scores: scoreAll(heard, (startSeconds) => isInside(startSeconds, span)) }))
    .filter((place): place is Place => place.scores !== null);
  const nameWords = (entries: readonly TaxonomyEntry[], countMax: number): NamedTag[] =>
    entries
      .map((entry) => ({
        label: entry.label,
        confidence: rateWord(whole.get(entry)!),
        spans: listSpans(places, (scores) => rateWord(scores.get(entry)!), WORD_CONFIDENCE_MIN),
      }))
      .filter(({ confidence }) => confidence >= WORD_CONFIDENCE_MIN)
      .toSorted((a, b) => b.confidence - a.confidence)
      .slice(0, countMax);
  return {
    genres: nameGenres(whole, places, musicalityLogOdds),
    moods: nameWords(MOODS, WORDS_MAX.moods),
    instruments: nameWords(INSTRUMENTS, WORDS_MAX.instruments),
    eras: nameWords(ERAS, WORDS_MAX.eras),
  };
}

type Scores = ReadonlyMap<TaxonomyEntry, number>;
type Place = { span: Span; scores: Scores };

function nameGenres(whole: Scores, places: readonly Place[], musicalityLogOdds: number): NamedTag[] {
  const overall = rateGenres(whole);
  const byPlace = new Map(places.map(({ scores }) => [scores, rateGenres(scores)]));
  const named = GENRES.map(({ label }) => ({
    label,
    confidence: overall.get(label)!,
    spans: listSpans(places, (scores) => byPlace.get(scores)!.get(label)!, FIRST_GENRE_CONFIDENCE_MIN),
  })).toSorted((a, b) => b.confidence - a.confidence);
  const confidenceMin =
    musicalityLogOdds < DOUBTFUL_MUSICALITY_MAX_LOG_ODDS
      ? DOUBTFUL_GENRE_CONFIDENCE_MIN
      : FIRST_GENRE_CONFIDENCE_MIN;
  if (named[0]!.confidence < Math.max(confidenceMin, overall.get(NO_GENRE)!)) return [];
  return named
    .slice(0, GENRES_MAX)
    .filter(
      ({ confidence }, rank) =>
        confidence >= (rank < LEADING_GENRES ? LEADING_GENRE_CONFIDENCE_MIN : GENRE_CONFIDENCE_MIN),
    );
}

function rateGenres(scores: Scores): Map<string, number> {
  const odds = GENRES.map((entry) =>
    Math.exp(
      GENRE_STEEPNESS_PER_SPREAD * (scores.get(entry)! - (entry.broad ? 0 : NARROW_GENRE_COST_SPREADS)),
    ),
  );
  const none = Math.exp(GENRE_STEEPNESS_PER_SPREAD * NO_GENRE_SPREADS);
  const total = odds.reduce((a, b) => a + b, none);
  return new Map([
    ...GENRES.map(({ label }, k): [string, number] => [label, round(odds[k]! / total)]),
    [NO_GENRE, round(none / total)],
  ]);
}

function rateWord(score: number): number {
  return round(logistic(LOGISTIC_SLOPE_PER_SPREAD * (score - EVEN_ODDS_SPREADS)));
}

/** The sections in which a word has at least `confidenceMin`; adjacent ones are joined. */
function listSpans(
  places: readonly Place[],
  rate: (scores: Scores) => number,
  confidenceMin: number,
): NamedTag['spans'] {
  const spans: NamedTag['spans'] = [];
  for (const { span, scores } of places) {
    const confidence = rate(scores);
    if (confidence < confidenceMin) continue;
    const last = spans.at(-1);
    if (last?.endSeconds === span.startSeconds) {
      last.endSeconds = span.endSeconds;
      last.confidence = Math.max(last.confidence, confidence);
    } else {
      spans.push({ startSeconds: span.startSeconds, endSeconds: span.endSeconds, confidence });
    }
  }
  return spans;
}

/** The score of every word over the patches selected; null when the first tagger heard none of these, or the second heard none at all. */
function scoreAll(heard: HeardTags, isSelected: (startSeconds: number) => boolean): Scores | null {
  const standings = new Map<string, number>();
  for (const tagger of ['msd', 'jamendo'] as TaggerName[]) {
    const selected = heard.patches[tagger].filter(({ startSeconds }) => isSelected(startSeconds));
    // For a section that only the first tagger heard, the second one's output for the whole song is used.
    const patches = selected.length > 0 || tagger === 'msd' ? selected : heard.patches[tagger];
    if (patches.length === 0) return null;
    const { mean, spread } = TAG_NORMS[tagger];
    heard.tags[tagger].forEach((tag, k) => {
      const logit = patches.reduce((sum, { logits }) => sum + logits[k]!, 0) / patches.length;
      standings.set(`${tagger}:${tag}`, (logit - mean[k]!) / spread[k]!);
    });
  }
  const instrumental = Math.max(0, standings.get(INSTRUMENTAL)! - INSTRUMENTAL_MIN_SPREADS);
  const score = ({ tags, spread, sung }: TaxonomyEntry): number => {
    let weightSum = 0;
    let sum = 0;
    for (const [tag, weight] of Object.entries(tags)) {
      weightSum += weight;
      sum += weight * standings.get(tag)!;
    }
    return sum / weightSum / spread - (sung ? SUNG_COST_SPREADS * instrumental : 0);
  };
  return new Map(TAXONOMY.map((entry) => [entry, score(entry)]));
}

/** Three digits are more than a confidence is accurate to. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
