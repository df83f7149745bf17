import { randomBytes, randomInt, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { deriveKey, equalInConstantTime, hmacSha256 } from '../platform/crypto.ts';

/**
 * Six digits have only 20 bits: a thief of the database could try them all. So the hash is slow and salted, and keyed
 * with a secret that is not in the database (OWASP ASVS 6.5.2).
 */
const CODE_DIGITS = 6;
const HASH_BYTES = 32;
const SCRYPT_COST = { N: 2 ** 14, r: 8, p: 1 };

const scryptAsync = promisify<string | Buffer, Buffer, number, typeof SCRYPT_COST, Buffer>(scrypt);

/** Uniform, leading zeros included. */
export function makeCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

export type HashedCode = { hash: string; salt: string };

export async function hashCode(secretKey: string, code: string): Promise<HashedCode> {
  const salt = randomBytes(16);
  return { hash: (await slowHash(secretKey, code, salt)).toString('hex'), salt: salt.toString('hex') };
}

export async function isCode(secretKey: string, code: string, expected: HashedCode): Promise<boolean> {
  const actual = await slowHash(secretKey, code, Buffer.from(expected.salt, 'hex'));
  return equalInConstantTime(actual, Buffer.from(expected.hash, 'hex'));
}

function slowHash(secretKey: string, code: string, salt: Buffer): Promise<Buffer> {
  return scryptAsync(hmacSha256(deriveKey(secretKey, 'sign-in-code'), code), salt, HASH_BYTES, SCRYPT_COST);
}
