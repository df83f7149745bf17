import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { applyTheme, chooseTheme, currentTheme } from './theme.ts';

const kept = new Map<string, string>();
const dataset: { theme?: string } = {};

beforeEach(() => {
  kept.clear();
  delete dataset.theme;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal('document', { documentElement: { dataset } });
});
afterEach(() => vi.unstubAllGlobals());

it.each(['light', 'dark'] as const)('%s is kept and shown, until the system decides again', (theme) => {
  chooseTheme(theme);
  expect([currentTheme(), dataset.theme]).toEqual([theme, theme]);
  chooseTheme('system');
  expect([currentTheme(), kept.size, 'theme' in dataset]).toEqual(['system', 0, false]);
});

it('what is kept is shown at the start; what nobody knows is left to the system', () => {
  chooseTheme('dark');
  delete dataset.theme;
  applyTheme();
  expect(dataset.theme).toBe('dark');
  for (const key of kept.keys()) kept.set(key, 'purple');
  applyTheme();
  expect(['theme' in dataset, currentTheme()]).toEqual([false, 'system']);
});
