/**
 * The words of the result (genres, moods, instruments, decades) and the taggers' tags that stand for each. docs/result-format.md publishes them.
 *
 * A tag's logit is standardised by its mean and spread over recordings (tag-norms.ts), because raw probabilities are not comparable: frequent
 * tags would always win. A word's score is the weighted mean of its tags, divided by its own spread. Words and weights were chosen by hand.
 */

export type TaggerName = 'msd' | 'jamendo';

export type TaxonomyEntry = {
  label: string;
  /** The standard deviation of the weighted mean of its tags over the recordings of tag-norms.ts. */
  spread: number;
  /** The weight of each. */
  tags: Readonly<Record<`${TaggerName}:${string}`, number>>;
  /** One of the ten broad genres. The others have to stand out more before they are named. */
  broad?: true;
  /** Hardly ever without a voice, so that an instrumental recording counts against it. */
  sung?: true;
};

export const GENRES: readonly TaxonomyEntry[] = [
  { label: 'blues', spread: 1.0, tags: { 'msd:blues': 2 }, broad: true },
  {
    label: 'classical',
    spread: 0.968,
    tags: { 'jamendo:classical': 2, 'jamendo:orchestral': 1, 'jamendo:strings': 1 },
    broad: true,
  },
  { label: 'country', spread: 1.0, tags: { 'msd:country': 2 }, broad: true, sung: true },
  {
    label: 'disco',
    spread: 0.752,
    tags: {
      'msd:funk': 1,
      'msd:70s': 1,
      'msd:dance': 1,
      'msd:party': 1,
      'msd:80s': 1,
      'jamendo:dance': 1,
      'jamendo:happy': 1,
    },
    broad: true,
  },
  {
    label: 'hip-hop',
    spread: 0.969,
    tags: { 'msd:Hip-Hop': 2, 'jamendo:hiphop': 2 },
    broad: true,
    sung: true,
  },
  { label: 'jazz', spread: 0.964, tags: { 'msd:jazz': 2, 'jamendo:jazz': 2 }, broad: true },
  {
    label: 'metal',
    spread: 0.921,
    tags: { 'msd:metal': 2, 'msd:heavy metal': 1, 'jamendo:metal': 2 },
    broad: true,
  },
  {
    label: 'pop',
    spread: 0.858,
    tags: { 'msd:pop': 2, 'msd:female vocalists': 1, 'msd:rnb': 1, 'msd:catchy': 1 },
    broad: true,
    sung: true,
  },
  { label: 'reggae', spread: 1.0, tags: { 'jamendo:reggae': 2 }, broad: true },
  {
    label: 'rock',
    spread: 0.873,
    tags: {
      'msd:rock': 2,
      'msd:classic rock': 1,
      'msd:alternative rock': 1,
      'msd:indie rock': 1,
      'jamendo:rock': 1,
    },
    broad: true,
  },
  {
    label: 'electronic',
    spread: 0.92,
    tags: { 'msd:electronic': 1, 'msd:electronica': 1, 'jamendo:electronic': 1 },
  },
  { label: 'house', spread: 0.927, tags: { 'msd:House': 1, 'jamendo:house': 1 } },
  { label: 'techno', spread: 0.925, tags: { 'msd:electro': 1, 'jamendo:techno': 1 } },
  { label: 'trance', spread: 1.0, tags: { 'jamendo:trance': 1 } },
  { label: 'trip-hop', spread: 0.971, tags: { 'jamendo:triphop': 1, 'jamendo:downtempo': 1 } },
  { label: 'ambient', spread: 0.933, tags: { 'msd:ambient': 1, 'jamendo:ambient': 1 } },
  { label: 'folk', spread: 0.897, tags: { 'msd:folk': 2, 'jamendo:folk': 1, 'jamendo:popfolk': 1 } },
  { label: 'soul', spread: 1.0, tags: { 'msd:soul': 1 } },
  { label: 'funk', spread: 0.906, tags: { 'msd:funk': 1, 'jamendo:funk': 1 } },
  { label: 'R&B', spread: 1.0, tags: { 'msd:rnb': 1 } },
  { label: 'punk', spread: 1.0, tags: { 'msd:punk': 1 } },
  { label: 'hard rock', spread: 1.0, tags: { 'msd:hard rock': 1 } },
  { label: 'progressive rock', spread: 1.0, tags: { 'msd:Progressive rock': 1 } },
  { label: 'indie', spread: 0.838, tags: { 'msd:indie': 1, 'msd:indie pop': 1, 'jamendo:indie': 1 } },
  { label: 'alternative', spread: 0.849, tags: { 'msd:alternative': 1, 'jamendo:alternative': 1 } },
  { label: 'experimental', spread: 0.869, tags: { 'msd:experimental': 1, 'jamendo:experimental': 1 } },
  { label: 'new age', spread: 1.0, tags: { 'jamendo:newage': 1 } },
  { label: 'soundtrack', spread: 1.0, tags: { 'jamendo:soundtrack': 1 } },
  { label: 'orchestral', spread: 1.0, tags: { 'jamendo:orchestral': 1 } },
  { label: 'lounge', spread: 0.772, tags: { 'msd:easy listening': 1, 'jamendo:lounge': 1 } },
  { label: 'world', spread: 1.0, tags: { 'jamendo:world': 1 } },
  { label: 'dance', spread: 0.945, tags: { 'msd:dance': 1, 'jamendo:dance': 1 } },
  {
    label: 'singer-songwriter',
    spread: 0.895,
    tags: { 'msd:acoustic': 1, 'jamendo:acousticguitar': 1, 'jamendo:popfolk': 1 },
    sung: true,
  },
];

export const MOODS: readonly TaxonomyEntry[] = [
  { label: 'happy', spread: 0.885, tags: { 'msd:happy': 1, 'jamendo:happy': 1 } },
  { label: 'sad', spread: 1.0, tags: { 'msd:sad': 1 } },
  { label: 'party', spread: 1.0, tags: { 'msd:party': 1 } },
  { label: 'mellow', spread: 1.0, tags: { 'msd:Mellow': 1 } },
  { label: 'chill', spread: 0.89, tags: { 'msd:chill': 1, 'msd:chillout': 1, 'jamendo:chillout': 1 } },
  { label: 'beautiful', spread: 1.0, tags: { 'msd:beautiful': 1 } },
  { label: 'sensual', spread: 1.0, tags: { 'msd:sexy': 1 } },
  { label: 'catchy', spread: 1.0, tags: { 'msd:catchy': 1 } },
  { label: 'easygoing', spread: 0.877, tags: { 'msd:easy listening': 1, 'jamendo:easylistening': 1 } },
  { label: 'emotional', spread: 1.0, tags: { 'jamendo:emotional': 1 } },
  { label: 'energetic', spread: 1.0, tags: { 'jamendo:energetic': 1 } },
  { label: 'cinematic', spread: 0.984, tags: { 'jamendo:film': 1, 'jamendo:soundtrack': 1 } },
  { label: 'relaxing', spread: 1.0, tags: { 'jamendo:relaxing': 1 } },
  { label: 'atmospheric', spread: 0.912, tags: { 'msd:ambient': 1, 'jamendo:atmospheric': 1 } },
  {
    label: 'aggressive',
    spread: 0.905,
    tags: { 'msd:metal': 1, 'msd:punk': 1, 'msd:hard rock': 1, 'jamendo:metal': 1 },
  },
  { label: 'danceable', spread: 0.945, tags: { 'msd:dance': 1, 'jamendo:dance': 1 } },
  { label: 'intimate', spread: 0.896, tags: { 'msd:acoustic': 1, 'jamendo:acousticguitar': 1 } },
  { label: 'experimental', spread: 0.869, tags: { 'msd:experimental': 1, 'jamendo:experimental': 1 } },
  { label: 'groovy', spread: 0.859, tags: { 'msd:funk': 1, 'msd:soul': 1, 'jamendo:funk': 1 } },
  { label: 'nostalgic', spread: 0.939, tags: { 'msd:oldies': 1, 'msd:60s': 1, 'msd:70s': 1 } },
  {
    label: 'meditative',
    spread: 0.973,
    tags: { 'jamendo:newage': 1, 'jamendo:relaxing': 1, 'jamendo:ambient': 1 },
  },
];

export const INSTRUMENTS: readonly TaxonomyEntry[] = [
  { label: 'acoustic guitar', spread: 1.0, tags: { 'jamendo:acousticguitar': 1 } },
  { label: 'bass', spread: 1.0, tags: { 'jamendo:bass': 1 } },
  { label: 'electronics', spread: 1.0, tags: { 'jamendo:computer': 1 } },
  { label: 'drum machine', spread: 1.0, tags: { 'jamendo:drummachine': 1 } },
  { label: 'drums', spread: 1.0, tags: { 'jamendo:drums': 1 } },
  { label: 'electric guitar', spread: 1.0, tags: { 'jamendo:electricguitar': 1 } },
  { label: 'electric piano', spread: 1.0, tags: { 'jamendo:electricpiano': 1 } },
  { label: 'guitar', spread: 0.733, tags: { 'msd:guitar': 1, 'jamendo:guitar': 1 } },
  { label: 'keyboard', spread: 1.0, tags: { 'jamendo:keyboard': 1 } },
  { label: 'piano', spread: 1.0, tags: { 'jamendo:piano': 1 } },
  { label: 'strings', spread: 1.0, tags: { 'jamendo:strings': 1 } },
  { label: 'synthesizer', spread: 1.0, tags: { 'jamendo:synthesizer': 1 } },
  { label: 'violin', spread: 1.0, tags: { 'jamendo:violin': 1 } },
];

export const ERAS: readonly TaxonomyEntry[] = [
  { label: '1960s', spread: 1.0, tags: { 'msd:60s': 1 } },
  { label: '1970s', spread: 1.0, tags: { 'msd:70s': 1 } },
  { label: '1980s', spread: 1.0, tags: { 'msd:80s': 1 } },
  { label: '1990s', spread: 1.0, tags: { 'msd:90s': 1 } },
  { label: '2000s', spread: 1.0, tags: { 'msd:00s': 1 } },
];

/** All words, in the order of the result. */
export const TAXONOMY = [...GENRES, ...MOODS, ...INSTRUMENTS, ...ERAS];

/** Tags that stand for no word: sung-odds.ts reads both, name-tags.ts the first. */
const TAGS_WITHOUT_WORD = ['msd:instrumental', 'msd:male vocalists'];

/** The tags of a tagger that are read. Without one of them, log odds would be NaN. */
export function listTagsUsed(tagger: TaggerName): string[] {
  const prefix = `${tagger}:`;
  const keys = [...TAXONOMY.flatMap(({ tags }) => Object.keys(tags)), ...TAGS_WITHOUT_WORD];
  const own = keys.filter((key) => key.startsWith(prefix));
  return [...new Set(own.map((key) => key.slice(prefix.length)))];
}
