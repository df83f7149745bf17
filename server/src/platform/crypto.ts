import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';

export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data);
}

export function hmacSha256(key: string | Uint8Array, data: string | Uint8Array): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

/** Compares HMACs under a random key, so that the time does not reveal where the values first differ, and their lengths may differ. */
export function equalInConstantTime(left: string | Uint8Array, right: string | Uint8Array): boolean {
  const key = randomBytes(KEY_BYTES);
  return timingSafeEqual(hmacSha256(key, left), hmacSha256(key, right));
}

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Uniform: randomInt has no modulo bias. */
export function randomBase62(characterCount: number): string {
  return Array.from({ length: characterCount }, () => BASE62[randomInt(BASE62.length)]).join('');
}

/** Of AES-256 and of HMAC-SHA-256. */
const KEY_BYTES = 32;

/** Derives a separate key for each purpose from one secret (HKDF, RFC 5869), so that a leaked key reveals nothing about the others. */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  const name = JSON.stringify([secretKey, purpose]);
  const key =
    derived.get(name) ?? Buffer.from(hkdfSync('sha256', secretKey, '', `earshot/${purpose}`, KEY_BYTES));
  derived.set(name, key);
  return key;
}

/** Bounded: there are one or two secrets, and each purpose is a constant of the code. */
const derived = new Map<string, Buffer>();

export type SecretKeys = { secretKey: string; secretKeySecond: string | null };

/** The keys of a purpose. The first encrypts and signs; the second, present while SECRET_KEY is rotated, only decrypts and verifies. */
export function deriveKeys({ secretKey, secretKeySecond }: SecretKeys, purpose: string): Buffer[] {
  const secrets = secretKeySecond === null ? [secretKey] : [secretKey, secretKeySecond];
  return secrets.map((secret) => deriveKey(secret, purpose));
}

/** The lengths of AEAD_AES_256_GCM (RFC 5116, section 5.2). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with AES-256-GCM. `context`, such as the row's id, is authenticated: a value copied to another row cannot be decrypted. */
export function seal(key: Buffer, text: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')}`;
}

/** Decrypts a value that was sealed with any of these keys. */
export function unsealWithAny(keys: readonly Buffer[], sealed: string, context: string): string {
  const key = keys.find((candidate) => isSealedWith(candidate, sealed, context)) ?? keys[0]!;
  return unseal(key, sealed, context);
}

export function isSealedWith(key: Buffer, sealed: string, context: string): boolean {
  try {
    unseal(key, sealed, context);
    return true;
  } catch {
    return false;
  }
}

function unseal(key: Buffer, sealed: string, context: string): string {
  if (!sealed.startsWith('v1.')) throw new Error('A sealed value has an unknown version');
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('A sealed value is too short');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  const body = bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
