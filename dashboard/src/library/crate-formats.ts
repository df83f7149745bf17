import type { RequestInput } from '@earshot/sdk';

export type CrateFormat = RequestInput<'exportCollection'>['query']['format'];

/** Export formats that hold several songs, in the order of the menus. */
export const CRATE_FORMATS: readonly [format: CrateFormat, name: string][] = [
  ['rekordbox', 'rekordbox (XML)'],
  ['traktor', 'Traktor (NML)'],
  ['virtualdj', 'VirtualDJ'],
  ['serato', 'Serato'],
  ['m3u8', 'Playlist (M3U8)'],
  ['csv', 'CSV'],
  ['jams', 'JAMS (zip)'],
  ['chordpro', 'ChordPro (zip)'],
];
