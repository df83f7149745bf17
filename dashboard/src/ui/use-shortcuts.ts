import { useEffect, useRef } from 'react';

type Shortcuts = Record<string, (event: KeyboardEvent) => void>;

/** Keyboard shortcuts of a page, ignored while the user types or a menu or dialog is open. Keys are named as in `KeyboardEvent.key`. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // On Windows AltGr is reported as Ctrl and Alt; many keyboards need it to type brackets.
      const isCommand = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph');
      if (isForOthers(event, { covered: isCovered() })) return;
      const name = isCommand || event.metaKey ? commandOf(event) : shortcutOf(event);
      if (name === null) return;
      const work = latest.current[name];
      if (!work) return;
      event.preventDefault();
      if (!event.repeat || REPEATABLE.test(name)) work(event);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

/** Keys that repeat while they are held. The others mostly toggle something, which repeating would undo. */
const REPEATABLE = /Arrow|^[-+=jk[\]]$/;

/** The name of a key. Letters are upper-case with Shift and lower-case without, whatever Caps Lock does. */
export function shortcutOf({ key, shiftKey }: { key: string; shiftKey: boolean }): string {
  if (key.length > 1) return shiftKey ? `Shift+${key}` : key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

type Modifiers = { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/** The name of a key pressed with Ctrl, or ⌘ on a Mac; null with Alt or Shift, for which there are no shortcuts. */
export function commandOf({
  key,
  shiftKey,
  ctrlKey,
  metaKey,
  altKey,
}: { key: string } & Modifiers): string | null {
  return (ctrlKey || metaKey) && !altKey && !shiftKey ? `Ctrl+${key.toLowerCase()}` : null;
}

function isCovered(): boolean {
  return document.querySelector('dialog[open], .menu') !== null;
}

type Press = { key: string; target: unknown; defaultPrevented: boolean };

/** Whether a key press is meant for something other than the page's shortcuts. */
export function isForOthers(
  { key, target, defaultPrevented }: Press,
  { covered }: { covered: boolean },
): boolean {
  if (defaultPrevented || covered) return true;
  // Not by `instanceof HTMLElement`: SVG elements have `closest` too, and the document itself, which can be a target, has none.
  const isIn = (selectors: string) =>
    (target as Partial<Pick<Element, 'closest'>> | null)?.closest?.(selectors) != null;
  if (
    isIn('textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="range"])')
  )
    return true;
  // Space and Enter press the focused element; arrow keys move a focused slider or tab.
  if (key === ' ' || key === 'Enter') return isIn('button, a, summary, input');
  return key.startsWith('Arrow') && isIn('input, [role="tab"]');
}
