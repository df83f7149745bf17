export { readCorpus } from './corpus.ts';
export { type Estimate, meanScores, type Scores, scoreSong, type Truth } from './score-song.ts';
