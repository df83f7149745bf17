import { describe, expect, it } from 'vitest';
import { type SlotTerms, signSlot, verifySlotSignature } from './slot-signature.ts';

const FIRST = { secretKey: 'the first secret key of this test', secretKeySecond: null };
const TERMS: SlotTerms = {
  objectId: 'obj_1',
  key: 'uploads/obj_1',
  byteSizeMax: 50_000_000,
  contentType: 'audio/wav',
  expiresAtUnixSeconds: 1_772_366_400,
};
/**
 * Computed with Python's hmac: HMAC-SHA256 of the terms joined by newlines after `PUT`, under the key that HKDF-SHA256 (no salt, info
 * `earshot/upload-slot`) derives from the secret.
 */
const SIGNATURE = 'DoZsj2pk-95H22wUFPVmDKwzsKkSZY8t8DD3jgSvnVw';

describe('the signature of an upload slot', () => {
  it('is the HMAC of its terms', () => {
    expect(signSlot(FIRST, TERMS)).toBe(SIGNATURE);
    expect(verifySlotSignature(FIRST, TERMS, SIGNATURE)).toBe(true);
  });

  it.each<Partial<SlotTerms>>([
    { objectId: 'obj_2' },
    { key: 'uploads/obj_2' },
    { byteSizeMax: 50_000_001 },
    { contentType: 'audio/mpeg' },
    { expiresAtUnixSeconds: 1_772_366_401 },
  ])('is invalid for other terms: %j', (change) => {
    expect(verifySlotSignature(FIRST, { ...TERMS, ...change }, SIGNATURE)).toBe(false);
  });

  it('of the previous secret is accepted while the secret is rotated, and then no longer', () => {
    const next = 'the second secret key of this test';
    expect(verifySlotSignature({ secretKey: next, secretKeySecond: FIRST.secretKey }, TERMS, SIGNATURE)).toBe(
      true,
    );
    expect(verifySlotSignature({ secretKey: next, secretKeySecond: null }, TERMS, SIGNATURE)).toBe(false);
  });

  it('is made with the new secret while the secret is rotated', () => {
    const rotating = { secretKey: FIRST.secretKey, secretKeySecond: 'the previous secret key of this test' };
    expect(signSlot(rotating, TERMS)).toBe(SIGNATURE);
  });
});
