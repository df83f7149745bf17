import { randomBytes, randomInt, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { deriveKey, equalInConstantTime, hmacSha256 } from '../platform/crypto.ts';

/**
 * Six digits have only 20 bits, and a thief of the database could try all codes. So the hash is keyed with a secret that is not in the
 * database (OWASP ASVS 6.5.2), salted, and slow: even with the secret, trying all codes takes half an hour of one core, and a code is
 * valid for ten minutes. It is not slower because anybody may request a code, and each costs us one hash.
 */

const CODE_DIGITS = 6;
const HASH_BYTES = 32;
const SCRYPT_COST = { N: 2 ** 10, r: 8, p: 1 };
const scryptAsync = promisify<string | Buffer, Buffer, number, typeof SCRYPT_COST, Buffer>(scrypt);

/** Whether codes and verification tokens are in the answer of the API instead of in a mail. */
export function showsCodes(ctx: { mailer: { delivers: boolean }; config: { showCodes: boolean } }): boolean {
  return !ctx.mailer.delivers && ctx.config.showCodes;
}

/** Uniformly distributed, with leading zeros. */
export function makeCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

export type HashedCode = { hash: string; salt: string };

export async function hashCode(secretKey: string, code: string): Promise<HashedCode> {
  const salt = randomBytes(16).toString('hex');
  return { hash: (await slowHash(secretKey, code, salt)).toString('hex'), salt };
}

export async function isCode(secretKey: string, code: string, expected: HashedCode): Promise<boolean> {
  const actual = await slowHash(secretKey, code, expected.salt);
  return equalInConstantTime(actual, Buffer.from(expected.hash, 'hex'));
}

function slowHash(secretKey: string, code: string, salt: string): Promise<Buffer> {
  const keyed = hmacSha256(deriveKey(secretKey, 'sign-in-code'), code);
  return scryptAsync(keyed, Buffer.from(salt, 'hex'), HASH_BYTES, SCRYPT_COST);
}
