import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it.each([
  ['../library/song-table.tsx', 'ROW_PX', 'library.css', '.song-row'],
  ['../library/mini-waveform.tsx', 'HEIGHT_PX', 'library.css', '.mini-wave'],
  ['../settings/usage-chart.tsx', 'HEIGHT_PX', 'settings.css', 'svg.usage-bars'],
])('in %s, %s is the height that %s gives to %s', (script, name, styleSheet, selector) => {
  const [, heightPx] = new RegExp(`const ${name} = (\\d+);`).exec(read(script))!;
  const [, rule] = read(styleSheet).split(`\n${selector} {`);
  expect(rule?.split('}')[0]).toContain(`\n  height: ${heightPx}px;`);
});

it('the script and the style sheets agree on where a phone ends', () => {
  const [, phonePx] = /max-width: (\d+)px/.exec(read('../ui/use-narrow.ts'))!;
  const styleSheets = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.css'));
  const sizes = styleSheets.flatMap((name) => [...read(name).matchAll(/@media \((m\w+-width: \d+px)\)/g)]);
  const near = sizes.map(([, size]) => size).filter((size) => /: 7\d\dpx/.test(size!));
  expect(new Set(near)).toEqual(new Set([`max-width: ${phonePx}px`, `min-width: ${Number(phonePx) + 1}px`]));
});
