import type { Span } from './embedding-parts.ts';

export type Neighbour = { id: string; similarity: number };

const ROWS_FIRST = 64;

/** Embeddings of equal length, one after the other in one piece of memory: a search reads it from end to end. */
export class SoundMatrix {
  readonly width: number;
  #values: Float32Array;
  #ids: string[] = [];
  #rows = new Map<string, number>();
  /** Lengths of the rows within the parts that were asked for, by those parts; forgotten when a row changes. */
  #lengths = new Map<string, Float32Array>();

  constructor(width: number) {
    this.width = width;
    this.#values = new Float32Array(width * ROWS_FIRST);
  }

  get size(): number {
    return this.#ids.length;
  }

  put(id: string, embedding: Float32Array): void {
    let row = this.#rows.get(id);
    if (row === undefined) {
      row = this.#ids.push(id) - 1;
      this.#rows.set(id, row);
      if (this.#values.length < this.#ids.length * this.width) this.#grow();
    }
    this.#values.set(embedding, row * this.width);
    this.#lengths.clear();
  }

  /** The last row takes its place. */
  remove(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    const last = this.#ids.length - 1;
    const lastId = this.#ids[last]!;
    this.#values.copyWithin(row * this.width, last * this.width, (last + 1) * this.width);
    this.#ids[row] = lastId;
    this.#rows.set(lastId, row);
    this.#ids.pop();
    this.#rows.delete(id);
    this.#lengths.clear();
  }

  /** Nearest first, itself the first of them; 1 for the same, 0.5 for nothing in common. Null when it is not here. */
  nearest(id: string, parts: readonly Span[], limit: number): Neighbour[] | null {
    const target = this.#rows.get(id);
    if (target === undefined) return null;
    const lengths = this.#lengthsOf(parts);
    const similarities = this.#compare(target, parts, lengths);
    const found: Neighbour[] = [{ id, similarity: 1 }];
    for (let row = 0; row < similarities.length; row++) {
      const similarity = similarities[row]!;
      if (row === target || (found.length >= limit && similarity <= found.at(-1)!.similarity)) continue;
      let at = found.length;
      while (at > 1 && found[at - 1]!.similarity < similarity) at -= 1;
      found.splice(at, 0, { id: this.#ids[row]!, similarity });
      if (found.length > limit) found.pop();
    }
    return found;
  }

  #compare(target: number, parts: readonly Span[], lengths: Float32Array): Float32Array {
    const { width } = this;
    const values = this.#values;
    const own = values.slice(target * width, (target + 1) * width);
    const similarities = new Float32Array(this.#ids.length);
    for (let row = 0, start = 0; row < similarities.length; row++, start += width) {
      let dot = 0;
      for (const [from, to] of parts) {
        for (let at = from; at < to; at++) dot += own[at]! * values[start + at]!;
      }
      const product = lengths[row]! * lengths[target]!;
      // What is unknown of either speaks neither for nor against.
      similarities[row] = product === 0 ? 0.5 : Math.min(1, Math.max(0, (1 + dot / product) / 2));
    }
    return similarities;
  }

  #lengthsOf(parts: readonly Span[]): Float32Array {
    const key = parts.join(';');
    const known = this.#lengths.get(key);
    if (known) return known;
    const { width } = this;
    const values = this.#values;
    const lengths = Float32Array.from({ length: this.#ids.length }, (_, row) => {
      let squares = 0;
      for (const [from, to] of parts) {
        for (let at = row * width + from; at < row * width + to; at++) squares += values[at]! ** 2;
      }
      return Math.sqrt(squares);
    });
    this.#lengths.set(key, lengths);
    return lengths;
  }

  #grow(): void {
    const larger = new Float32Array(this.#values.length * 2);
    larger.set(this.#values);
    this.#values = larger;
  }
}
