/**
 * Which words fit? From logits to words: which genres, moods, instruments and decades stand out, how surely, and in which sections.
 *
 * Genres exclude one another: their scores, and one that stands for none of them, go through one softmax, whose steepness makes the confidence of
 * the first come true as often as it says (docs/accuracy.md). Moods, instruments and decades do not: each stands for itself, by how far it lies above
 * the recordings it is measured against. Scores are in spreads of those recordings (tag-norms.ts). Bounds without a figure are chosen, on the dev
 * recordings.
 */

import type { NamedTag, Tags } from '../result.ts';
import type { HeardTags } from './hear-tags.ts';
import { isInside, type Span } from './patch-choice.ts';
import { TAG_NORMS } from './tag-norms.ts';
import { ERAS, GENRES, INSTRUMENTS, MOODS, type TaggerName, type TaxonomyEntry } from './taxonomy.ts';

/** Found on the dev recordings by cross-validation: flat from 3 to 4. */
const GENRE_STEEPNESS = 3.6;
/** In spreads: what the narrower genres have to stand out more than the ten broad ones. */
const NARROW_GENRE_COST = 1.5;
/** What has a voice by custom loses so much for every spread by which the recording stands out as instrumental beyond the usual. */
const SUNG_COST = 1.5;
const INSTRUMENTAL = 'msd:instrumental';
const INSTRUMENTAL_FROM = 1;
/** In spreads: a genre beside all others that stands for none of them. Where the first is no likelier than it, nothing is named. */
const NO_GENRE_SCORE = 0.7;
const NO_GENRE = 'none of them';
/** Of a genre that is named; one of the first three may be less sure than those after them. */
const GENRE_CONFIDENCE_MIN = 0.02;
const EARLY_GENRE_CONFIDENCE_MIN = 0.01;
const EARLY_GENRES = 3;
/** Below, nothing stands out: no genre is named. */
const FIRST_GENRE_CONFIDENCE_MIN = 0.2;
/** And below this where it is not plainly music (log odds): church bells, which rock fits best, at 0.29. Of 460 recordings one loses its genre. */
const HESITANT_GENRE_CONFIDENCE_MIN = 0.3;
const HESITANT_MUSICALITY_MIN = 2;
const GENRES_MAX = 5;
/**
 * What the taggers call experimental beyond this is hardly music, unless it plainly is (log odds, musicality.ts): engines, water, machines that the
 * regions let pass. Of the dev recordings 2 in 100 lie above, of ESC-50's sounds played six times over most.
 */
const STRANGENESS_MAX = 2.2;
const PLAIN_MUSICALITY_MIN = 1;
const STRANGE = GENRES.find(({ label }) => label === 'experimental')!;
/** Of the others: spreads above the mean at which a word is as likely as not, and the slope there. */
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
  const standing = (entries: readonly TaxonomyEntry[], most: number): NamedTag[] =>
    entries
      .map((entry) => ({
        label: entry.label,
        confidence: rateStanding(whole.get(entry)!),
        spans: listSpans(places, (scores) => rateStanding(scores.get(entry)!), STANDING_CONFIDENCE_MIN),
      }))
      .filter(({ confidence }) => confidence >= STANDING_CONFIDENCE_MIN)
      .toSorted((a, b) => b.confidence - a.confidence)
      .slice(0, most);
  return {
    genres: nameGenres(whole, places, musicality),
    moods: standing(MOODS, WORDS_MAX.moods),
    instruments: standing(INSTRUMENTS, WORDS_MAX.instruments),
    eras: standing(ERAS, WORDS_MAX.eras),
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
  const least =
    musicality < HESITANT_MUSICALITY_MIN ? HESITANT_GENRE_CONFIDENCE_MIN : FIRST_GENRE_CONFIDENCE_MIN;
  if (named[0]!.confidence < Math.max(least, overall.get(NO_GENRE)!)) return [];
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

/** Sections in a row where the word holds, joined. */
function listSpans(
  places: readonly Place[],
  rate: (scores: Scores) => number,
  least: number,
): NamedTag['spans'] {
  const spans: NamedTag['spans'] = [];
  for (const { span, scores } of places) {
    const confidence = rate(scores);
    if (confidence < least) continue;
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

/** Every word's score over the patches that count; null when a tagger heard none of them. */
function scoreAll(heard: HeardTags, counts: (startSeconds: number) => boolean): Scores | null {
  const standings = new Map<string, number>();
  for (const tagger of ['msd', 'jamendo'] as TaggerName[]) {
    // In a section that only the first tagger heard, the second is asked for the whole song.
    const inside = heard.patches[tagger].filter(({ startSeconds }) => counts(startSeconds));
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

/** Three digits are more than a confidence has. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
