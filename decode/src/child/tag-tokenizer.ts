import type { IReadChunkOptions, IToken, ITokenizer } from 'strtok3';
import type { ByteSource } from '../stream/file-bytes.ts';

/** A token counts twice, for its memory and for reading it, so this suffices for an ID3 tag with a cover of 20 MiB. */
const BYTES_MAX = 48 * 2 ** 20;
/** A file with many tags takes a few hundred reads. */
const READS_MAX = 20_000;

/** A tokenizer over the source that throws once its budget of reads or bytes is used up. */
export async function createBudgetedTokenizer(source: ByteSource, mimeType: string): Promise<ITokenizer> {
  const { AbstractTokenizer, EndOfStreamError } = await import('strtok3/core');

  class BudgetedTokenizer extends AbstractTokenizer {
    override fileInfo = { size: source.byteSize, mimeType };
    #bytesLeft = BYTES_MAX;
    #readsLeft = READS_MAX;

    // The inherited constructor is protected, and an implicit one would be too.
    // biome-ignore lint/complexity/noUselessConstructor: it makes the class constructible.
    constructor() {
      super();
    }

    override supportsRandomAccess(): boolean {
      return true;
    }

    setPosition(position: number): void {
      this.position = position;
    }

    // The base class allocates the length of a token before it reads, and that length comes from the file.
    override async readToken<T>(token: IToken<T>, position?: number): Promise<T> {
      this.#spend(token.len);
      return super.readToken(token, position);
    }

    override async peekToken<T>(token: IToken<T>, position?: number): Promise<T> {
      this.#spend(token.len);
      return super.peekToken(token, position);
    }

    override async readBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
      if (options?.position !== undefined) this.position = options.position;
      const count = await this.peekBuffer(target, options);
      this.position += count;
      return count;
    }

    override async peekBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
      const position = options?.position ?? this.position;
      const length = options?.length ?? target.length;
      this.#spend(length);
      const bytes = source.view(position, length);
      if (bytes.length < length && !options?.mayBeLess) throw new EndOfStreamError();
      target.set(bytes);
      return bytes.length;
    }

    #spend(bytes: number): void {
      // A crafted size can make the length negative, which would increase the budget.
      this.#bytesLeft -= bytes >= 0 ? bytes : Number.POSITIVE_INFINITY;
      this.#readsLeft--;
      if (this.#bytesLeft < 0 || this.#readsLeft < 0) throw new Error('the budget for tags is used up');
    }
  }
  return new BudgetedTokenizer();
}
