import { describe, expect, it } from 'vitest';
import { commandOf, isForOthers, shortcutOf } from './use-shortcuts.ts';

/** A stand-in for an element that matches only `name`; like SVG elements, it is not an HTMLElement. */
const element = (name: string) => ({
  closest: (selectors: string) => (selectors.split(', ').includes(name) ? name : null),
});
const press = (key: string, on: string, defaultPrevented = false) => ({
  key,
  target: element(on),
  defaultPrevented,
});
const UNCOVERED = { covered: false };

describe('a key', () => {
  it.each(['path', 'button', 'main'])('pressed on a %s is a shortcut', (name) => {
    expect(isForOthers(press('c', name), UNCOVERED)).toBe(false);
  });

  it.each(['path', 'button', 'main'])(
    'pressed on a %s is no shortcut while a menu or dialog is open',
    (name) => {
      expect(isForOthers(press('c', name), { covered: true })).toBe(true);
    },
  );

  it('that an element has handled is no shortcut: Space on the key wheel does not start playback', () => {
    expect(isForOthers(press(' ', 'path', true), UNCOVERED)).toBe(true);
    expect(isForOthers(press(' ', 'path'), UNCOVERED)).toBe(false);
  });

  it.each([
    ['c', 'textarea', true],
    ['c', 'select', true],
    [' ', 'button', true],
    ['Enter', 'a', true],
    ['ArrowLeft', '[role="tab"]', true],
    ['ArrowLeft', 'button', false],
    ['c', '[role="tab"]', false],
  ])('%j on %s is for that element: %s', (key, name, isForElement) => {
    expect(isForOthers(press(key, name), UNCOVERED)).toBe(isForElement);
  });
});

describe('a key with Ctrl or ⌘', () => {
  const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
  it.each([
    ['z', { ctrlKey: true }, 'Ctrl+z'],
    ['z', { metaKey: true }, 'Ctrl+z'],
    // With Caps Lock on.
    ['Z', { ctrlKey: true }, 'Ctrl+z'],
    ['Z', { ctrlKey: true, shiftKey: true }, null],
    ['z', { ctrlKey: true, altKey: true }, null],
    ['1', { altKey: true }, null],
  ])('%s with %j is named %j', (key, held, name) => {
    expect(commandOf({ key, ...none, ...held })).toBe(name);
  });
});

describe('the name of a key', () => {
  it.each([
    ['d', false, 'd'],
    ['D', true, 'D'],
    // Caps Lock does not count as Shift: D halves the tempo, d doubles it.
    ['D', false, 'd'],
    ['d', true, 'D'],
    ['?', true, '?'],
    [' ', true, ' '],
    ['ArrowLeft', false, 'ArrowLeft'],
    ['ArrowLeft', true, 'Shift+ArrowLeft'],
  ])('%s (with Shift: %s) is named %s', (key, shiftKey, name) => {
    expect(shortcutOf({ key, shiftKey })).toBe(name);
  });
});
