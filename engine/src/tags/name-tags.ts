/**
 * Which words fit? From logits to words: which genres, moods, instruments and decades stand out, with what confidence, and in which sections.
 *
 * Genres exclude one another: their scores, and one for no genre, go through one softmax, whose steepness makes the confidence of the first
 * genre match how often it is right (docs/accuracy.md). Moods, instruments and decades do not: each is rated alone, by how far its score lies above the
 * mean over recordings. Scores are in spreads over those recordings (tag-norms.ts). Thresholds without a reason of their own were chosen on the
 * dev recordings.
 */

import type { NamedTag, Tags } from '../result.ts';
import type { HeardTags } from './hear-tags.ts';
import { isInside, type Span } from './patch-choice.ts';
import { TAG_NORMS } from './tag-norms.ts';
import { ERAS, GENRES, INSTRUMENTS, MOODS, type TaggerName, type TaxonomyEntry } from './taxonomy.ts';

/** Found on the dev recordings by cross-validation: flat from 3 to 4. */
const GENRE_STEEPNESS = 3.6;
/** In spreads: how much more a narrow genre has to stand out than one of the ten broad ones. */
const NARROW_GENRE_COST = 1.5;
/** A genre that is usually sung loses so many spreads for each by which `instrumental` stands out beyond INSTRUMENTAL_FROM. */
const SUNG_COST = 1.5;
const INSTRUMENTAL = 'msd:instrumental';
const INSTRUMENTAL_FROM = 1;
/** In spreads: the score of no genre. Where it is likelier than the first genre, none is named. */
const NO_GENRE_SCORE = 0.7;
const NO_GENRE = 'none of them';
/** Below these confidences a genre is not listed: the first three may be less certain than those after them. */
const GENRE_CONFIDENCE_MIN = 0.02;
const EARLY_GENRE_CONFIDENCE_MIN = 0.01;
const EARLY_GENRES = 3;
/** Below this confidence of the first genre, none is named. */
const FIRST_GENRE_CONFIDENCE_MIN = 0.2;
/** The same for sound that is not plainly music (in log odds): church bells are rock with 0.29. One of 460 recordings loses its genre by it. */
const DOUBTFUL_GENRE_CONFIDENCE_MIN = 0.3;
const DOUBTFUL_MUSICALITY_MAX = 2;
const GENRES_MAX = 5;
/**
 * Sound in which the tag `experimental` stands out further is hardly music, unless its musicality (log odds, musicality.ts) says so: engines, water
 * and machines that content/ took for music. Two in a hundred dev recordings stand out further, and most of ESC-50's sounds, played six times over.
 */
const STRANGENESS_MAX = 2.2;
const PLAIN_MUSICALITY_MIN = 1;
const STRANGE = GENRES.find(({ label }) => label === 'experimental')!;
/** For moods, instruments and decades: the spreads above the mean at which the confidence is 0.5, the slope there, and the least that is named. */
const STANDING_EVEN = 0.8;
const STANDING_SLOPE = 1.7;
const STANDING_CONFIDENCE_MIN = 0.6;
const WORDS_MAX = { moods: 5, instruments: 8, eras: 2 };

export function nameTags(heard: HeardTags, sections: readonly Span[], musicality: number): Tags {
  const whole = scoreAll(heard, () => true);
  const isStrange =
    musicality < PLAIN_MUSICALITY_MIN && whole !== null && whole.get(STRANGE)! > STRANGENESS_MAX;
  if (whole === null || isStrange) return { genres: [], moods: [], instruments: [], eras: [] };
  const places = sections
    .map((span) => ({ span, scores: scoreAll(heard, (start) => isInside(start, span)) }))
    .filter((place): place is Place => place.scores !== null);
  const nameStanding = (entries: readonly TaxonomyEntry[], countMax: number): NamedTag[] =>
    entries
      .map((entry) => ({
        label: entry.label,
        confidence: rateStanding(whole.get(entry)!),
        spans: listSpans(places, (scores) => rateStanding(scores.get(entry)!), STANDING_CONFIDENCE_MIN),
      }))
      .filter(({ confidence }) => confidence >= STANDING_CONFIDENCE_MIN)
      .toSorted((a, b) => b.confidence - a.confidence)
      .slice(0, countMax);
  return {
    genres: nameGenres(whole, places, musicality),
    moods: nameStanding(MOODS, WORDS_MAX.moods),
    instruments: nameStanding(INSTRUMENTS, WORDS_MAX.instruments),
    eras: nameStanding(ERAS, WORDS_MAX.eras),
  };
}

type Scores = ReadonlyMap<TaxonomyEntry, number>;
type Place = { span: Span; scores: Scores };

function nameGenres(whole: Scores, places: readonly Place[], musicality: number): NamedTag[] {
  const overall = rateGenres(whole);
  const byPlace = new Map(places.map(({ scores }) => [scores, rateGenres(scores)]));
  const named = GENRES.map(({ label }) => ({
    label,
    confidence: overall.get(label)!,
    spans: listSpans(places, (scores) => byPlace.get(scores)!.get(label)!, FIRST_GENRE_CONFIDENCE_MIN),
  })).toSorted((a, b) => b.confidence - a.confidence);
  const confidenceMin =
    musicality < DOUBTFUL_MUSICALITY_MAX ? DOUBTFUL_GENRE_CONFIDENCE_MIN : FIRST_GENRE_CONFIDENCE_MIN;
  if (named[0]!.confidence < Math.max(confidenceMin, overall.get(NO_GENRE)!)) return [];
  return named
    .slice(0, GENRES_MAX)
    .filter(
      ({ confidence }, rank) =>
        confidence >= (rank < EARLY_GENRES ? EARLY_GENRE_CONFIDENCE_MIN : GENRE_CONFIDENCE_MIN),
    );
}

function rateGenres(scores: Scores): Map<string, number> {
  const odds = GENRES.map((entry) =>
    Math.exp(GENRE_STEEPNESS * (scores.get(entry)! - (entry.main ? 0 : NARROW_GENRE_COST))),
  );
  const none = Math.exp(GENRE_STEEPNESS * NO_GENRE_SCORE);
  const total = odds.reduce((a, b) => a + b, none);
  return new Map([
    ...GENRES.map(({ label }, k): [string, number] => [label, round(odds[k]! / total)]),
    [NO_GENRE, round(none / total)],
  ]);
}

function rateStanding(score: number): number {
  return round(1 / (1 + Math.exp(-STANDING_SLOPE * (score - STANDING_EVEN))));
}

/** The sections in which a word has at least that confidence; neighbours are joined. */
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

/** Every word's score over the patches inside; null when the first tagger heard none of these, or the second none at all. */
function scoreAll(heard: HeardTags, isPatchInside: (startSeconds: number) => boolean): Scores | null {
  const standings = new Map<string, number>();
  for (const tagger of ['msd', 'jamendo'] as TaggerName[]) {
    // For a section that only the first tagger heard, the second one's patches of the whole song count.
    const inside = heard.patches[tagger].filter(({ startSeconds }) => isPatchInside(startSeconds));
    const patches = inside.length > 0 || tagger === 'msd' ? inside : heard.patches[tagger];
    if (patches.length === 0) return null;
    const { mean, spread } = TAG_NORMS[tagger];
    heard.tags[tagger].forEach((tag, k) => {
      const logit = patches.reduce((sum, { logits }) => sum + logits[k]!, 0) / patches.length;
      standings.set(`${tagger}:${tag}`, (logit - mean[k]!) / spread[k]!);
    });
  }
  const instrumental = Math.max(0, standings.get(INSTRUMENTAL)! - INSTRUMENTAL_FROM);
  const score = ({ tags, spread, sung }: TaxonomyEntry): number => {
    const weights = tags.reduce((sum, [, , weight]) => sum + weight, 0);
    const sum = tags.reduce(
      (all, [tagger, tag, weight]) => all + weight * standings.get(`${tagger}:${tag}`)!,
      0,
    );
    return sum / weights / spread - (sung ? SUNG_COST * instrumental : 0);
  };
  return new Map([...GENRES, ...MOODS, ...INSTRUMENTS, ...ERAS].map((entry) => [entry, score(entry)]));
}

/** Three digits are more than a confidence is accurate to. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
