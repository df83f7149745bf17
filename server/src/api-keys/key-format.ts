import { crc32 } from 'node:zlib';
import { BASE62, randomBase62 } from '../platform/crypto.ts';

/**
 * A key is `es_live_`, 30 random base62 characters (178 bits), and their CRC32 in 6 more: typos are rejected without a query, and
 * scanners for leaked secrets recognise real keys offline.
 */
export const API_KEY_PREFIX = 'es_live_';
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
const API_KEY = /^es_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

export function makeApiKey(): string {
  const random = randomBase62(RANDOM_CHARACTERS);
  return `${API_KEY_PREFIX}${random}${checksumOf(random)}`;
}

export function isApiKey(text: string): boolean {
  const [, random, checksum] = API_KEY.exec(text) ?? [];
  return random !== undefined && checksum === checksumOf(random);
}

/** `es_live_` and four random characters: enough to tell keys apart, too few to guess the rest. */
const VISIBLE_CHARACTERS = 12;

export function visiblePrefixOf(key: string): string {
  return key.slice(0, VISIBLE_CHARACTERS);
}

function checksumOf(random: string): string {
  let remainder = crc32(random);
  let text = '';
  while (text.length < CHECKSUM_CHARACTERS) {
    text = `${BASE62[remainder % 62]}${text}`;
    remainder = Math.floor(remainder / 62);
  }
  return text;
}
