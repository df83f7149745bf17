import { randomBytes, randomInt, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { deriveKey, equalInConstantTime, hmacSha256 } from '../platform/crypto.ts';

/**
 * Sign-in codes and their hashes. Six digits have only 20 bits, so a thief of the database could try all codes. The hash is therefore keyed
 * with a secret that is not in the database, salted and slow (OWASP ASVS 5.0, 6.5.2): about 2 ms, so that even with the secret, trying all
 * codes takes half an hour on one core, longer than the ten minutes that a code is valid. A slower hash would let anybody load the service
 * by requesting codes.
 */

const CODE_DIGITS = 6;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const SCRYPT_COST = { N: 2 ** 10, r: 8, p: 1 };
const scryptAsync = promisify<string | Buffer, Buffer, number, typeof SCRYPT_COST, Buffer>(scrypt);

/** Whether the API returns codes and verification tokens instead of mailing them. */
export function showsCodes(ctx: { mailer: { delivers: boolean }; config: { showCodes: boolean } }): boolean {
  return !ctx.mailer.delivers && ctx.config.showCodes;
}

/** Uniformly distributed, with leading zeros. */
export function makeCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

export type HashedCode = { hash: string; salt: string };

export async function hashCode(secretKey: string, code: string): Promise<HashedCode> {
  const salt = randomBytes(SALT_BYTES).toString('hex');
  return { hash: (await slowHash(secretKey, code, salt)).toString('hex'), salt };
}

export async function matchesHash(secretKey: string, code: string, expected: HashedCode): Promise<boolean> {
  const actual = await slowHash(secretKey, code, expected.salt);
  return equalInConstantTime(actual, Buffer.from(expected.hash, 'hex'));
}

function slowHash(secretKey: string, code: string, salt: string): Promise<Buffer> {
  const keyed = hmacSha256(deriveKey(secretKey, 'sign-in-code'), code);
  return scryptAsync(keyed, Buffer.from(salt, 'hex'), HASH_BYTES, SCRYPT_COST);
}
