import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/**
 * A compact encoding of JSON that is mostly numbers:
 *
 * - A list of records with the same keys is stored by column.
 * - A list of numbers becomes integers (decimals are scaled), or their differences where these are smaller, with the bytes
 *   of the same significance next to each other.
 * - Numbers with more digits are indices into a table of doubles, which has each only once: the time of a beat is also that of
 *   a bar, a chord and a section.
 * - The rest is JSON, the outline.
 *
 * Brotli compresses: two lengths (bytes of the outline, entries of the table; 32 bits, little-endian), the outline, the table,
 * and the number columns in the order of the outline.
 */
export function packJson(value: unknown): Buffer {
  const table = new Map<number, number>();
  const columns: Buffer[] = [];
  // Through JSON once, which drops undefined members and turns NaN into null.
  const outline = Buffer.from(JSON.stringify(outlineOf(JSON.parse(JSON.stringify(value)), table, columns)));
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  lengths.writeUInt32LE(outline.length, 0);
  lengths.writeUInt32LE(table.size, 4);
  const doubles = Buffer.alloc(table.size * DOUBLE_BYTES);
  for (const [double, index] of table) doubles.writeDoubleLE(double, index * DOUBLE_BYTES);
  const bytes = Buffer.concat([lengths, outline, bySignificance(doubles, DOUBLE_BYTES), ...columns]);
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

export function unpackJson(packed: Uint8Array): unknown {
  const bytes = brotliDecompressSync(packed);
  const outlineEndBytes = LENGTHS_BYTES + bytes.readUInt32LE(0);
  const table = new Float64Array(bytes.readUInt32LE(4));
  const tableEndBytes = outlineEndBytes + table.byteLength;
  const doubles = transpose(bytes.subarray(outlineEndBytes, tableEndBytes), DOUBLE_BYTES, table.length);
  for (let index = 0; index < table.length; index++) {
    table[index] = doubles.readDoubleLE(index * DOUBLE_BYTES);
  }
  let offsetBytes = tableEndBytes;
  const take = (byteCount: number): Buffer => {
    offsetBytes += byteCount;
    return bytes.subarray(offsetBytes - byteCount, offsetBytes);
  };
  return readOutline(JSON.parse(bytes.toString('utf8', LENGTHS_BYTES, outlineEndBytes)), table, take);
}

/** Takes 2 ms for a song of four minutes. The maximum, 11, saves 4 % for eighty times as long (docs/benchmarks.md). */
const BROTLI_QUALITY = 5;
const LENGTHS_BYTES = 8;
const DOUBLE_BYTES = 8;
/** Shorter lists of numbers are as short in JSON. */
const COLUMN_LENGTH_MIN = 8;
/** The engine rounds to six decimals at most: a number with more than this was not rounded, and belongs in the table. */
const DECIMALS_MAX = 7;
/** Keeps differences of integers exact, and within the six bytes that Buffer reads and writes as an integer. */
const INTEGER_MAX = 2 ** 46;
/** Which earlier number is subtracted: none, the one before, or the one before that, for lists that alternate. */
const LAGS = [0, 1, 2];

/** Every list in an outline begins with its kind. */
type OutlineList =
  | ['list', Outline[]]
  | ['records', keys: string[], columns: Outline[]]
  | ['numbers', valueCount: number, decimals: number | null, lag: number, widthBytes: number, gaps: number[]];
type Outline = null | boolean | number | string | OutlineList | { [key: string]: Outline };
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

function outlineOf(value: Json, table: Map<number, number>, columns: Buffer[]): Outline {
  if (value === null || typeof value !== 'object') return value;
  const inner = (member: Json) => outlineOf(member, table, columns);
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inner(member)]));
  }
  if (isColumn(value)) return outlineOfNumbers(value, table, columns);
  const keys = keysOfRecords(value);
  if (keys === null) return ['list', value.map(inner)];
  const records = value as { [key: string]: Json }[];
  return ['records', keys, keys.map((key) => inner(records.map((record) => record[key]!)))];
}

function readOutline(outline: Outline, table: Float64Array, take: (byteCount: number) => Buffer): Json {
  if (outline === null || typeof outline !== 'object') return outline;
  const inner = (member: Outline) => readOutline(member, table, take);
  if (!Array.isArray(outline)) {
    return Object.fromEntries(Object.entries(outline).map(([key, member]) => [key, inner(member)]));
  }
  if (outline[0] === 'numbers') return readNumbers(outline, table, take);
  if (outline[0] === 'list') return outline[1].map(inner);
  const [, keys, columns] = outline;
  const values = columns.map((column) => inner(column) as Json[]);
  return values[0]!.map((_, row) => {
    const record: { [key: string]: Json } = {};
    for (let column = 0; column < keys.length; column++) record[keys[column]!] = values[column]![row]!;
    return record;
  });
}

/** Whether it has only numbers and few nulls. */
function isColumn(list: readonly Json[]): list is (number | null)[] {
  const gapCount = list.filter((member) => member === null).length;
  return (
    list.length >= COLUMN_LENGTH_MIN &&
    gapCount <= list.length / COLUMN_LENGTH_MIN &&
    list.every((member) => typeof member === 'number' || member === null)
  );
}

/** Null unless all members have the same keys in the same order. `__proto__` is no key here: assigning it sets the prototype. */
function keysOfRecords(list: readonly Json[]): string[] | null {
  const keysOf = (member: Json | undefined) =>
    member && typeof member === 'object' && !Array.isArray(member) ? Object.keys(member) : [];
  const keys = keysOf(list[0]);
  const areSame = (others: string[]) =>
    others.length === keys.length && keys.every((key, index) => key === others[index]);
  if (keys.length === 0 || keys.includes('__proto__')) return null;
  return list.every((member) => areSame(keysOf(member))) ? keys : null;
}

function outlineOfNumbers(
  list: readonly (number | null)[],
  table: Map<number, number>,
  columns: Buffer[],
): OutlineList {
  const gaps = list.flatMap((value, index) => (value === null ? [index] : []));
  const values = gaps.length === 0 ? (list as number[]) : fillGaps(list);
  const decimals = decimalsOf(values);
  const integers = values.map((value) => {
    if (decimals !== null) return Math.round(value * 10 ** decimals);
    const index = table.get(value) ?? table.size;
    table.set(value, index);
    return index;
  });
  const candidates = LAGS.map((lag) => {
    const steps = stepsOf(integers, lag);
    return { lag, steps, sum: steps.reduce((sum, step) => sum + step, 0) };
  });
  const { lag, steps } = candidates.reduce((a, b) => (b.sum < a.sum ? b : a));
  const largestStep = steps.reduce((a, b) => Math.max(a, b));
  const widthBytes = Math.max(1, Math.ceil(Math.log2(largestStep + 1) / 8));
  const bytes = Buffer.alloc(steps.length * widthBytes);
  steps.forEach((step, index) => {
    bytes.writeUIntLE(step, index * widthBytes, widthBytes);
  });
  columns.push(bySignificance(bytes, widthBytes));
  return ['numbers', values.length, decimals, lag, widthBytes, gaps];
}

function readNumbers(
  [, valueCount, decimals, lag, widthBytes, gaps]: Extract<OutlineList, ['numbers', ...unknown[]]>,
  table: Float64Array,
  take: (byteCount: number) => Buffer,
): (number | null)[] {
  const bytes = take(valueCount * widthBytes);
  const integers = new Array<number>(valueCount);
  for (let index = 0; index < valueCount; index++) {
    let step = bytes[index]!;
    let scale = 256;
    for (let byteIndex = index + valueCount; byteIndex < bytes.length; byteIndex += valueCount) {
      step += bytes[byteIndex]! * scale;
      scale *= 256;
    }
    const half = Math.floor(step / 2);
    const before = lag === 0 || index < lag ? 0 : integers[index - lag]!;
    integers[index] = before + (2 * half === step ? half : -1 - half);
  }
  const numberOf = (integer: number) => (decimals === null ? table[integer]! : integer / 10 ** decimals);
  const values: (number | null)[] = decimals === 0 ? integers : integers.map(numberOf);
  for (const gap of gaps) values[gap] = null;
  return values;
}

/** With the number before the gap, whose difference is zero. */
function fillGaps(list: readonly (number | null)[]): number[] {
  let last = list.find((value) => value !== null) ?? 0;
  return list.map((value) => {
    last = value ?? last;
    return last;
  });
}

/** The fewest decimals that represent all of them exactly; null when that takes more than the maximum. */
function decimalsOf(values: readonly number[]): number | null {
  for (let decimals = 0; decimals <= DECIMALS_MAX; decimals++) {
    const scale = 10 ** decimals;
    const isExact = (value: number) => {
      const integer = Math.round(value * scale);
      return integer / scale === value && Math.abs(integer) < INTEGER_MAX;
    };
    if (values.every(isExact)) return decimals;
  }
  return null;
}

/** Differences as unsigned numbers (zigzag encoding): 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4. */
function stepsOf(integers: readonly number[], lag: number): number[] {
  return integers.map((integer, index) => {
    const step = integer - (lag === 0 || index < lag ? 0 : integers[index - lag]!);
    return step < 0 ? -2 * step - 1 : 2 * step;
  });
}

/** The first bytes of all entries, then the second bytes of all: bytes of equal significance are alike and compress better. */
function bySignificance(bytes: Buffer, widthBytes: number): Buffer {
  return transpose(bytes, bytes.length / widthBytes, widthBytes);
}

function transpose(bytes: Buffer, rowCount: number, columnCount: number): Buffer {
  if (columnCount === 1 || rowCount === 1) return bytes;
  const turned = Buffer.alloc(bytes.length);
  for (let row = 0; row < rowCount; row++) {
    for (let column = 0; column < columnCount; column++) {
      turned[column * rowCount + row] = bytes[row * columnCount + column]!;
    }
  }
  return turned;
}
