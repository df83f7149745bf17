import { wheelNumberOf } from '@earshot/exports';
import { getAnalysisOfWorkspace, listAnalysesById } from '../analyses/analyses.ts';
import type { Analysis } from '../analyses/analysis.ts';
import type { MemberContext } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import type { Aspect } from './embedding-parts.ts';
import {
  compatibleNumbers,
  explainMix,
  type Mix,
  type MixSong,
  mixOf,
  scoreOf,
  TEMPO_LEVELS,
  TEMPO_SHIFT_PERCENT_MAX,
} from './mixing.ts';
import { listInTempo, type MixCandidate } from './sound-store.ts';

export type SimilarSong = { song: Analysis; similarity: number; reason: string };
export type NextSong = { song: Analysis; score: number; mix: Mix; reason: string };

/** Copies rank first even where other songs are nearer, so this many more are fetched than requested. More nearer songs are rare. */
const EXTRA_COUNT = 20;

const NO_HEADLINE: MixSong = { bpm: null, camelot: null, energy: null };

export async function findSimilar(
  ctx: MemberContext,
  analysisId: string,
  { aspect, limit }: { aspect: Aspect; limit: number },
): Promise<SimilarSong[]> {
  const analysis = await getAnalysisOfWorkspace(ctx, analysisId);
  const { workspaceId } = ctx.actor;
  for (;;) {
    const nearest = await ctx.soundIndex.findNearest(workspaceId, analysis.id, {
      aspect,
      limit: limit + EXTRA_COUNT,
    });
    if (nearest === null) {
      throw new AppError(
        'conflict',
        'This analysis has no fingerprint to compare: it is not completed, or silent, or was made without it.',
      );
    }
    const similarities = new Map(nearest.map((one) => [one.id, one.similarity]));
    const songs = await listAnalysesById(ctx, [...similarities.keys()]);
    if (songs.length === similarities.size) {
      return rankSimilar(analysis, songs, similarities, aspect).slice(0, limit);
    }
    // Some have been deleted, by this process or another. The next nearest take their places.
    const existing = new Set(songs.map(({ id }) => id));
    const deleted = [...similarities.keys()].filter((id) => !existing.has(id));
    ctx.soundIndex.forget(workspaceId, deleted);
    if (deleted.includes(analysis.id)) throw notFound();
  }
}

/** The song itself, then its copies, then the nearest. */
function rankSimilar(
  to: Analysis,
  songs: readonly Analysis[],
  similarities: ReadonlyMap<string, number>,
  aspect: Aspect,
): SimilarSong[] {
  const rank = (song: Analysis) => (song.id === to.id ? 0 : isCopy(to, song) ? 1 : 2);
  return songs
    .toSorted((a, b) => rank(a) - rank(b))
    .map((song) => {
      const similarity = similarities.get(song.id)!;
      const reason = song.id === to.id ? 'the song itself' : reasonOf(to, song, aspect, similarity);
      return { song, similarity: Math.round(similarity * 1e4) / 1e4, reason };
    });
}

const ASPECT_WORDS: Record<Aspect, string> = {
  sound: 'sound',
  harmony: 'harmony',
  rhythm: 'groove',
  all: 'music',
};

function reasonOf(from: Analysis, to: Analysis, aspect: Aspect, similarity: number): string {
  if (isCopy(from, to)) return 'the same recording';
  const [first, second] = [from.headline ?? NO_HEADLINE, to.headline ?? NO_HEADLINE];
  // 0.5 means nothing in common; the steps above it only put the number into words.
  const degree =
    similarity > 0.95
      ? 'the same'
      : similarity > 0.8
        ? 'much the same'
        : similarity > 0.65
          ? 'related'
          : 'other';
  return `${degree} ${ASPECT_WORDS[aspect]}; ${explainMix(first, second, mixOf(first, second))}`;
}

function isCopy(a: Analysis, b: Analysis): boolean {
  if (!a.headline || !b.headline) return false;
  const first = (analysis: Analysis) => analysis.headline?.duplicateOf ?? analysis.id;
  return first(a) === first(b);
}

/** Bounds memory and sorting time. Beyond it an arbitrary selection of candidates is ranked. */
const CANDIDATES_MAX = 20_000;

/** Tempo ranges to search, the wider one only if a song beyond the narrower could still rank on the page. */
const TEMPO_RANGES_PERCENT = [3, TEMPO_SHIFT_PERCENT_MAX];

export async function findNext(ctx: MemberContext, analysisId: string, limit: number): Promise<NextSong[]> {
  const from = (await getAnalysisOfWorkspace(ctx, analysisId)).headline;
  if (!from?.bpm) {
    throw new AppError(
      'conflict',
      'This song has no tempo to mix from: it is not completed, or has no steady pulse.',
    );
  }
  // A song is not mixed into itself, nor into a copy of it.
  const original = from.duplicateOf ?? analysisId;
  const best = await findBestMixes(ctx, { ...from, bpm: from.bpm }, original, limit);
  const ids = best.map(({ candidate }) => candidate.id);
  const songs = new Map((await listAnalysesById(ctx, ids)).map((song) => [song.id, song]));
  return best.flatMap(({ candidate, mix, score }) => {
    const song = songs.get(candidate.id);
    return song ? [{ song, score, mix, reason: explainMix(from, candidate, mix) }] : [];
  });
}

type MixFrom = MixSong & { bpm: number };
type FoundMix = { candidate: MixCandidate; mix: Mix; score: number };

/** Searches compatible keys first, and all keys only if those do not fill the page. */
async function findBestMixes(
  ctx: MemberContext,
  from: MixFrom,
  original: string,
  limit: number,
): Promise<FoundMix[]> {
  const keyNumbers = from.camelot === null ? null : compatibleNumbers(wheelNumberOf(from.camelot));
  for (const keys of keyNumbers === null ? [null] : [keyNumbers, null]) {
    for (const rangePercent of TEMPO_RANGES_PERCENT) {
      const candidates = await listInTempo(ctx.db, ctx.actor.workspaceId, {
        spansBpm: bpmSpansWithin(from.bpm, rangePercent),
        keyNumbers: keys,
        original,
        limit: CANDIDATES_MAX,
      });
      const isWidest = rangePercent === TEMPO_SHIFT_PERCENT_MAX;
      if (candidates.length < limit && !(isWidest && keys === null)) continue;
      const best = rankMixes(from, candidates).slice(0, limit);
      if (isWidest || best.at(-1)!.score > bestScoreBeyond(from, rangePercent)) return best;
    }
  }
  return [];
}

/** Tempos that a speed change of at most `percent` brings to `bpm`, its half or its double. */
function bpmSpansWithin(bpm: number, percent: number): [number, number][] {
  return TEMPO_LEVELS.map((level) => [
    (bpm * level) / (1 + percent / 100),
    (bpm * level) / (1 - percent / 100),
  ]);
}

function rankMixes(from: MixFrom, candidates: readonly MixCandidate[]): FoundMix[] {
  return candidates
    .map((candidate) => {
      const mix = mixOf(from, candidate);
      return { candidate, mix, score: scoreOf(mix) };
    })
    .sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1));
}

/** The score of a song that differs from `from` in tempo alone: the best possible beyond that shift. */
function bestScoreBeyond(from: MixFrom, tempoShiftPercent: number): number {
  return scoreOf({ ...mixOf(from, from), tempoShiftPercent });
}
