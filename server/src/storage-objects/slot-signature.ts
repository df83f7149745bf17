import { deriveKeys, equalInConstantTime, hmacSha256, type SecretKeys } from '../platform/crypto.ts';

/**
 * Everything an upload URL permits. All of it is signed, so that the holder of a URL cannot use it for another object, size, type or time.
 * Only the object id and the expiry travel in the URL; the other terms are read from the row of the object when it is used.
 */
export type SlotTerms = {
  objectId: string;
  key: string;
  byteSizeMax: number;
  contentType: string;
  expiresAtUnixSeconds: number;
};

const KEY_PURPOSE = 'upload-slot';

export function signSlot(keys: SecretKeys, terms: SlotTerms): string {
  return sign(deriveKeys(keys, KEY_PURPOSE)[0]!, terms);
}

/** Also accepts the second key: a URL that was signed before SECRET_KEY was rotated stays valid until it expires. */
export function verifySlotSignature(keys: SecretKeys, terms: SlotTerms, signature: string): boolean {
  return deriveKeys(keys, KEY_PURPOSE).some((key) => equalInConstantTime(sign(key, terms), signature));
}

function sign(key: Buffer, terms: SlotTerms): string {
  // No term of a stored object contains a newline: we generate ids and keys, and the contract restricts the content type.
  const { objectId, byteSizeMax, contentType, expiresAtUnixSeconds } = terms;
  const text = ['PUT', objectId, terms.key, byteSizeMax, contentType, expiresAtUnixSeconds].join('\n');
  return hmacSha256(key, text).toString('base64url');
}
