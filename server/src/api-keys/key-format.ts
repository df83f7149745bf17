import { crc32 } from 'node:zlib';
import { randomBase62 } from '../platform/crypto.ts';

/**
 * A key is `es_live_`, 30 random base62 characters (178 bits), and their CRC32 in 6 more: a typo is refused before any query, and
 * scanners for leaked secrets recognise a real key offline.
 */
export const API_KEY_START = 'es_live_';
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
const SHAPE = /^es_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function makeApiKey(): string {
  const random = randomBase62(RANDOM_CHARACTERS);
  return `${API_KEY_START}${random}${checksumOf(random)}`;
}

export function isApiKey(text: string): boolean {
  const [, random, checksum] = SHAPE.exec(text) ?? [];
  return random !== undefined && checksum === checksumOf(random);
}

/** `es_live_` and four more: enough to tell keys apart, too little to guess the rest. */
const VISIBLE_CHARACTERS = 12;

export function visiblePrefixOf(key: string): string {
  return key.slice(0, VISIBLE_CHARACTERS);
}

function checksumOf(random: string): string {
  let rest = crc32(random);
  let text = '';
  while (text.length < CHECKSUM_CHARACTERS) {
    text = `${BASE62[rest % 62]}${text}`;
    rest = Math.floor(rest / 62);
  }
  return text;
}
