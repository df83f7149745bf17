export type Theme = 'system' | 'light' | 'dark';

export const THEMES: { value: Theme; name: string }[] = [
  { value: 'system', name: 'Theme: system' },
  { value: 'light', name: 'Theme: light' },
  { value: 'dark', name: 'Theme: dark' },
];

const KEY = 'earshot.theme';

export function currentTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
}

/** Before the first drawing, so that nothing flashes. */
export function applyTheme(): void {
  const theme = currentTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
