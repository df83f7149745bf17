import { deriveKeys, equalInConstantTime, hmacSha256, type SecretKeys } from '../platform/crypto.ts';

/** All that an upload address promises. Whoever holds the address can change none of it. */
export type SlotPromise = {
  objectId: string;
  key: string;
  byteSizeMax: number;
  contentType: string;
  expiresSeconds: number;
};

export function signSlot(keys: SecretKeys, slot: SlotPromise): string {
  return sign(deriveKeys(keys, PURPOSE)[0] as Buffer, slot);
}

export function isSlotSignature(keys: SecretKeys, slot: SlotPromise, signature: string): boolean {
  return deriveKeys(keys, PURPOSE).some((key) => equalInConstantTime(sign(key, slot), signature));
}

const PURPOSE = 'upload-slot';

function sign(key: Buffer, slot: SlotPromise): string {
  const text = ['PUT', slot.objectId, slot.key, slot.byteSizeMax, slot.contentType, slot.expiresSeconds].join(
    '\n',
  );
  return hmacSha256(key, text).toString('base64url');
}
