import type { Transport } from './transport.ts';

/** Follows the `Link: <…>; rel="next"` headers of a list. */
export async function* paginate<T>(
  call: Transport,
  path: string,
  query: Record<string, string | number | undefined>,
): AsyncGenerator<T> {
  let after: string | undefined;
  do {
    const response = await call({ method: 'GET', path, query: { ...query, after } });
    yield* (await response.json()) as T[];
    after = nextAfter(response.headers.get('link'));
  } while (after !== undefined);
}

/** The cursor of the next page; undefined on the last. */
export function nextAfter(link: string | null): string | undefined {
  const target = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1];
  return target ? (new URL(target, 'http://path.invalid').searchParams.get('after') ?? undefined) : undefined;
}
