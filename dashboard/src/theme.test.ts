import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { applyTheme, chooseTheme, currentTheme } from './theme.ts';

const stored = new Map<string, string>();
const dataset: { theme?: string } = {};

beforeEach(() => {
  stored.clear();
  delete dataset.theme;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('document', { documentElement: { dataset } });
});
afterEach(() => vi.unstubAllGlobals());

it.each(['light', 'dark'] as const)(
  '%s is stored and applied, until the system theme is chosen again',
  (theme) => {
    chooseTheme(theme);
    expect([currentTheme(), dataset.theme]).toEqual([theme, theme]);
    chooseTheme('system');
    expect([currentTheme(), stored.size, 'theme' in dataset]).toEqual(['system', 0, false]);
  },
);

it('with site data blocked, the page starts with the system theme and a chosen one is applied', () => {
  // afterEach removes this too, because beforeEach has stubbed the global.
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    },
  });
  applyTheme();
  expect('theme' in dataset).toBe(false);
  chooseTheme('dark');
  expect([dataset.theme, currentTheme()]).toEqual(['dark', 'system']);
});

it('a stored theme is applied at the start; an unknown one counts as the system theme', () => {
  chooseTheme('dark');
  delete dataset.theme;
  applyTheme();
  expect(dataset.theme).toBe('dark');
  for (const key of stored.keys()) stored.set(key, 'purple');
  applyTheme();
  expect(['theme' in dataset, currentTheme()]).toEqual([false, 'system']);
});
