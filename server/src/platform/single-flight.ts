/** Concurrent callers for one name share the value being made. Nothing is cached afterwards. */
export type SingleFlight<T> = (name: string, make: () => Promise<T>) => Promise<T>;

export function createSingleFlight<T>(): SingleFlight<T> {
  const beingMade = new Map<string, Promise<T>>();
  return (name, make) => {
    const existing = beingMade.get(name);
    if (existing) return existing;
    const making = make().finally(() => beingMade.delete(name));
    beingMade.set(name, making);
    return making;
  };
}
