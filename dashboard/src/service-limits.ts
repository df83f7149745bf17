/** What the service takes at most (service-limits.test.ts holds them against the contract): fields and lists keep to it before it says no. */

/** Of every list but that of songs. */
export const PAGE_ITEMS_MAX = 100;
export const PAGE_SONGS_MAX = 200;
/** Changed or exported by one request. */
export const BATCH_SONGS_MAX = 500;

export const API_KEY_NAME_CHARACTERS_MAX = 100;
export const WORKSPACE_NAME_CHARACTERS_MAX = 100;
export const CRATE_NAME_CHARACTERS_MAX = 200;

export const SEARCH_CHARACTERS_MAX = 200;
export const FILTER_CHARACTERS_MAX = 100;
export const TITLE_CHARACTERS_MAX = 300;
export const NOTE_CHARACTERS_MAX = 2_000;
const SONG_TAGS_MAX = 50;
const TAG_CHARACTERS_MAX = 50;
/** As they are typed: with a comma and a space between. */
export const TAGS_CHARACTERS_MAX = SONG_TAGS_MAX * (TAG_CHARACTERS_MAX + 2);
/** A value that a job is submitted with. */
export const METADATA_CHARACTERS_MAX = 500;
