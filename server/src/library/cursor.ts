import {
  deriveKeys,
  equalInConstantTime,
  hmacSha256,
  type SecretKeys,
  sha256Hex,
} from '../platform/crypto.ts';

/** Where a page ended: the value it was sorted by and the id. A value of null: among the songs that have none. */
export type Position = { value: string | number | null; id: string };

/**
 * Opaque and signed: it means something only to us, and only for the question it was given with. It holds a place in the order,
 * not a count, so that the next page begins there whatever songs come and go meanwhile.
 */
export function writeCursor(keys: SecretKeys, question: unknown, position: Position): string {
  const text = JSON.stringify([position.value, position.id]);
  return Buffer.from(`${sign(deriveKeys(keys, PURPOSE)[0] as Buffer, question, text)}${text}`).toString(
    'base64url',
  );
}

/** Null when it is none of ours, or one of another question. */
export function readCursor(keys: SecretKeys, question: unknown, cursor: string): Position | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [signature, body] = [text.slice(0, SIGNATURE_CHARACTERS), text.slice(SIGNATURE_CHARACTERS)];
  const genuine = deriveKeys(keys, PURPOSE).some((key) =>
    equalInConstantTime(sign(key, question, body), signature),
  );
  if (!genuine) return null;
  const [value, id] = JSON.parse(body) as [Position['value'], string];
  return { value, id };
}

const PURPOSE = 'library-cursor';
/** 132 bits. */
const SIGNATURE_CHARACTERS = 22;

function sign(key: Buffer, question: unknown, text: string): string {
  const asked = sha256Hex(JSON.stringify(question));
  return hmacSha256(key, `${asked}\n${text}`).toString('base64url').slice(0, SIGNATURE_CHARACTERS);
}
