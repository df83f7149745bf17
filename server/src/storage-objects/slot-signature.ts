import { deriveKey, equalInConstantTime, hmacSha256 } from '../platform/crypto.ts';

/** All that an upload address promises. Whoever holds the address can change none of it. */
export type SlotPromise = {
  objectId: string;
  key: string;
  byteSizeMax: number;
  contentType: string;
  expiresSeconds: number;
};

export function signSlot(secretKey: string, slot: SlotPromise): string {
  const text = ['PUT', slot.objectId, slot.key, slot.byteSizeMax, slot.contentType, slot.expiresSeconds].join(
    '\n',
  );
  return hmacSha256(deriveKey(secretKey, 'upload-slot'), text).toString('base64url');
}

export function isSlotSignature(secretKey: string, slot: SlotPromise, signature: string): boolean {
  return equalInConstantTime(signSlot(secretKey, slot), signature);
}
