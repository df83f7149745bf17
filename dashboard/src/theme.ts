import { readStored, store } from './browser-storage.ts';

export type Theme = 'system' | 'light' | 'dark';

export const THEMES: { value: Theme; name: string }[] = [
  { value: 'system', name: 'Theme: system' },
  { value: 'light', name: 'Theme: light' },
  { value: 'dark', name: 'Theme: dark' },
];

const STORAGE_KEY = 'earshot.theme';

export function currentTheme(): Theme {
  const stored = readStored('localStorage', STORAGE_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function chooseTheme(theme: Theme): void {
  store('localStorage', STORAGE_KEY, theme === 'system' ? null : theme);
  applyTheme(theme);
}

/** Called before the first render, so that the page does not flash in the wrong theme. */
export function applyTheme(theme = currentTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
