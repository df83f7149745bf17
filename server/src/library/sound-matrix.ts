import type { Span } from './embedding-parts.ts';
import type { CompareRows } from './sound-kernel.ts';

export type Neighbour = { id: string; similarity: number };

const INITIAL_ROWS = 64;
/** Numbers that one SIMD instruction of the kernel processes. */
const LANES = 4;

/** Embeddings of equal length in one contiguous array, which a search reads from end to end. */
export class SoundMatrix {
  readonly width: number;
  readonly #compareRows: CompareRows;
  /** Row length: the width, padded with zeros to whole lanes. */
  readonly #stride: number;
  #values: Float32Array;
  #ids: string[] = [];
  #rows = new Map<string, number>();

  constructor(width: number, compareRows: CompareRows) {
    this.width = width;
    this.#compareRows = compareRows;
    this.#stride = Math.ceil(width / LANES) * LANES;
    this.#values = new Float32Array(this.#stride * INITIAL_ROWS);
  }

  put(id: string, embedding: Float32Array): void {
    let row = this.#rows.get(id);
    if (row === undefined) {
      row = this.#ids.push(id) - 1;
      this.#rows.set(id, row);
      if (this.#values.length < this.#ids.length * this.#stride) this.#grow();
    }
    this.#values.set(embedding, row * this.#stride);
  }

  /** Moves the last row into the gap. */
  remove(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    const last = this.#ids.length - 1;
    const lastId = this.#ids[last]!;
    this.#values.copyWithin(row * this.#stride, last * this.#stride, (last + 1) * this.#stride);
    this.#ids[row] = lastId;
    this.#rows.set(lastId, row);
    this.#ids.pop();
    this.#rows.delete(id);
  }

  /** The song itself, then the others by descending cosine similarity, scaled to 0..1 (0.5: nothing in common). Null for an unknown id. */
  nearest(id: string, parts: readonly Span[], limit: number): Neighbour[] | null {
    const target = this.#rows.get(id);
    if (target === undefined) return null;
    const similarities = this.#compare(target, parts);
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

  #compare(target: number, parts: readonly Span[]): Float32Array {
    const stride = this.#stride;
    const own = new Float32Array(stride);
    const mask = new Float32Array(stride);
    for (const [from, to] of parts) {
      own.set(this.#values.subarray(target * stride + from, target * stride + to), from);
      mask.fill(1, from, to);
    }
    const { dots, squares } = this.#compareRows(
      { values: this.#values, rowCount: this.#ids.length, stride },
      {
        own,
        mask,
        from: Math.floor(parts[0]![0] / LANES) * LANES,
        to: Math.ceil(parts.at(-1)![1] / LANES) * LANES,
      },
    );
    return dots.map((dot, row) => {
      const product = Math.sqrt(squares[row]! * squares[target]!);
      // A part that is unknown is all zeros; it counts neither for nor against.
      return product === 0 ? 0.5 : Math.min(1, Math.max(0, (1 + dot / product) / 2));
    });
  }

  #grow(): void {
    const larger = new Float32Array(this.#values.length * 2);
    larger.set(this.#values);
    this.#values = larger;
  }
}
