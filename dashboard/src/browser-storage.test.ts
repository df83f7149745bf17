import { afterEach, describe, expect, it, vi } from 'vitest';
import { readStored, store } from './browser-storage.ts';

afterEach(() => vi.unstubAllGlobals());

function stubStorage() {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  });
  return items;
}

describe('browser storage', () => {
  it('keeps a value until it is removed', () => {
    const items = stubStorage();
    store('localStorage', 'theme', 'dark');
    expect(readStored('localStorage', 'theme')).toBe('dark');
    store('localStorage', 'theme', null);
    expect(items.size).toBe(0);
    expect(readStored('localStorage', 'theme')).toBeNull();
  });

  it('is empty, and forgets, where site data is blocked', () => {
    // Stubbed first, so that afterEach removes the property defined next.
    vi.stubGlobal('sessionStorage', undefined);
    Object.defineProperty(globalThis, 'sessionStorage', {
      configurable: true,
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
    store('sessionStorage', 'demo', 'a');
    expect(readStored('sessionStorage', 'demo')).toBeNull();
    expect(() => store('sessionStorage', 'demo', null)).not.toThrow();
  });
});
