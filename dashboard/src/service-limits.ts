/** Limits of the service, so that forms and lists stay within them; service-limits.test.ts compares them with the contract. */

/** Items per page of every list except songs. */
export const PAGE_ITEMS_MAX = 100;
export const PAGE_SONGS_MAX = 200;
/** The service counts the matches of a search up to this number. */
export const COUNTED_SONGS_MAX = 10_000;
/** Songs named by id in one request. */
export const BATCH_SONGS_MAX = 500;

export const API_KEY_NAME_CHARACTERS_MAX = 100;
export const WORKSPACE_NAME_CHARACTERS_MAX = 100;
export const CRATE_NAME_CHARACTERS_MAX = 200;

export const SEARCH_CHARACTERS_MAX = 200;
export const FILTER_CHARACTERS_MAX = 100;
/** Of a title, an artist or an album. */
export const TITLE_CHARACTERS_MAX = 300;
export const NOTE_CHARACTERS_MAX = 2_000;
export const SONG_TAGS_MAX = 50;
export const TAG_CHARACTERS_MAX = 50;
/** All tags of a song as typed, each followed by a comma and a space. */
export const TAGS_CHARACTERS_MAX = SONG_TAGS_MAX * (TAG_CHARACTERS_MAX + 2);
/** Of the name of an uploaded file. */
export const FILE_NAME_CHARACTERS_MAX = 255;
