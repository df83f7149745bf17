/** A number, and how many bits it takes. Negative numbers are stored in two's complement. */
export type BitField = readonly [value: number, bitCount: number];

/** Packs the fields most significant bit first, with zeros up to the next byte. */
export function packBits(fields: readonly BitField[]): Uint8Array {
  const bits = fields.map(([value, bitCount]) =>
    bitCount === 0 ? '' : BigInt.asUintN(bitCount, BigInt(value)).toString(2).padStart(bitCount, '0'),
  );
  const bytes = bits.join('').match(/.{1,8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
}
