/** Reads the first bytes of a stream: `head` has at most `byteCount` of them, `whole` is the stream from its beginning. */
export async function peekBytes(
  source: AsyncIterable<Uint8Array>,
  byteCount: number,
): Promise<{ head: Uint8Array; whole: AsyncIterable<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let takenBytes = 0;
  while (takenBytes < byteCount) {
    const { value, done } = await iterator.next();
    if (done) break;
    taken.push(value);
    takenBytes += value.length;
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield* taken;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { head: Buffer.concat(taken).subarray(0, byteCount), whole: whole() };
}
