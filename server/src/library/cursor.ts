import {
  deriveKeys,
  equalInConstantTime,
  hmacSha256,
  type SecretKeys,
  sha256Hex,
} from '../platform/crypto.ts';

/** The last song of a page: the value it is sorted by, null for a song without one, and its id. */
export type Position = { value: string | number | null; id: string };

/**
 * Opaque to clients, and signed for the search that produced it: with another filter or sort it is refused. It holds a position in the
 * order rather than an offset, so that songs added or deleted in between neither repeat nor skip others.
 */
export function writeCursor(keys: SecretKeys, search: unknown, position: Position): string {
  const text = JSON.stringify([position.value, position.id]);
  const signature = sign(deriveKeys(keys, PURPOSE)[0] as Buffer, search, text);
  return Buffer.from(`${signature}${text}`).toString('base64url');
}

/** Null for a cursor that we did not sign, or signed for another search. */
export function readCursor(keys: SecretKeys, search: unknown, cursor: string): Position | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [signature, body] = [text.slice(0, SIGNATURE_CHARACTERS), text.slice(SIGNATURE_CHARACTERS)];
  const isGenuine = deriveKeys(keys, PURPOSE).some((key) =>
    equalInConstantTime(sign(key, search, body), signature),
  );
  if (!isGenuine) return null;
  const [value, id] = JSON.parse(body) as [Position['value'], string];
  return { value, id };
}

const PURPOSE = 'library-cursor';
/** 132 bits: beyond guessing, in half the length of the whole signature. */
const SIGNATURE_CHARACTERS = 22;

function sign(key: Buffer, search: unknown, text: string): string {
  const searchHash = sha256Hex(JSON.stringify(search));
  return hmacSha256(key, `${searchHash}\n${text}`).toString('base64url').slice(0, SIGNATURE_CHARACTERS);
}
