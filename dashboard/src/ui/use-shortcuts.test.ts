import { describe, expect, it } from 'vitest';
import { commandOf, isBusy, shortcutOf } from './use-shortcuts.ts';

/** An element of that name inside of nothing else; like those of SVG, it is no HTMLElement. */
const element = (name: string) => ({
  closest: (selectors: string) => (selectors.split(', ').includes(name) ? name : null),
});
const press = (key: string, on: string, defaultPrevented = false) => ({
  key,
  target: element(on),
  defaultPrevented,
});
const NOTHING_OVER = { covered: false };

describe('a key', () => {
  it.each(['path', 'button', 'main'])('on %s is the page’s own', (name) => {
    expect(isBusy(press('c', name), NOTHING_OVER)).toBe(false);
  });

  it.each(['path', 'button', 'main'])('on %s is not while a menu or dialog is open', (name) => {
    expect(isBusy(press('c', name), { covered: true })).toBe(true);
  });

  it('that something has answered to is not answered to twice: a key of the wheel is chosen, no song is played', () => {
    expect(isBusy(press(' ', 'path', true), NOTHING_OVER)).toBe(true);
    expect(isBusy(press(' ', 'path'), NOTHING_OVER)).toBe(false);
  });

  it.each([
    ['c', 'textarea', true],
    ['c', 'select', true],
    [' ', 'button', true],
    ['Enter', 'a', true],
    ['ArrowLeft', '[role="tab"]', true],
    ['ArrowLeft', 'button', false],
    ['c', '[role="tab"]', false],
  ])('%j on %s belongs to it: %s', (key, name, busy) => {
    expect(isBusy(press(key, name), NOTHING_OVER)).toBe(busy);
  });
});

describe('the name of a command', () => {
  const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
  it.each([
    ['z', { ctrlKey: true }, 'Ctrl+z'],
    ['z', { metaKey: true }, 'Ctrl+z'],
    // Caps Lock is on.
    ['Z', { ctrlKey: true }, 'Ctrl+z'],
    ['Z', { ctrlKey: true, shiftKey: true }, ''],
    ['z', { ctrlKey: true, altKey: true }, ''],
    ['1', { altKey: true }, ''],
  ])('%s with %j is %j', (key, held, name) => {
    expect(commandOf({ key, ...none, ...held })).toBe(name);
  });
});

describe('the name of a key', () => {
  it.each([
    ['d', false, 'd'],
    ['D', true, 'D'],
    // Caps Lock is no Shift: it would halve the tempo that is to be doubled.
    ['D', false, 'd'],
    ['d', true, 'D'],
    ['?', true, '?'],
    [' ', true, ' '],
    ['ArrowLeft', false, 'ArrowLeft'],
    ['ArrowLeft', true, 'Shift+ArrowLeft'],
  ])('%s (with Shift: %s) is %s', (key, shiftKey, name) => {
    expect(shortcutOf({ key, shiftKey })).toBe(name);
  });
});
