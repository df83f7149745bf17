import { useEffect, useRef } from 'react';

export type Shortcuts = Record<string, (event: KeyboardEvent) => void>;

/** Keys of a page, unless one is typing or a menu or dialog is open. A key is named as `KeyboardEvent.key` has it. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // AltGr is Ctrl and Alt on Windows, and writes brackets on many keyboards.
      const isCommand = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph');
      if (isBusy(event, { covered: isCovered() })) return;
      const name = isCommand || event.metaKey ? commandOf(event) : shortcutOf(event);
      const work = latest.current[name];
      if (!work) return;
      event.preventDefault();
      if (!event.repeat || HELD.test(name)) work(event);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

/** Keys that go on while they are held; of the others every second press would take back the one before. */
const HELD = /Arrow|^[-+=jk[\]]$/;

/** A letter is small without Shift, Caps Lock or not. */
export function shortcutOf({ key, shiftKey }: { key: string; shiftKey: boolean }): string {
  if (key.length > 1) return shiftKey ? `Shift+${key}` : key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

type Modifiers = { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/** ⌘ on a Mac is Ctrl elsewhere; with Alt or Shift it is another command, and none of ours. */
export function commandOf({ key, shiftKey, ctrlKey, metaKey, altKey }: { key: string } & Modifiers): string {
  return (ctrlKey || metaKey) && !altKey && !shiftKey ? `Ctrl+${key.toLowerCase()}` : '';
}

function isCovered(): boolean {
  return document.querySelector('dialog[open], .menu') !== null;
}

type Press = { key: string; target: unknown; defaultPrevented: boolean };

/** Whether a key is meant for something else than the page. */
export function isBusy({ key, target, defaultPrevented }: Press, { covered }: { covered: boolean }): boolean {
  if (defaultPrevented || covered) return true;
  // The document itself has no `closest`; an element of SVG has, though it is no HTMLElement.
  const isIn = (selectors: string) =>
    (target as Partial<Pick<Element, 'closest'>> | null)?.closest?.(selectors) != null;
  if (
    isIn('textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="range"])')
  )
    return true;
  // What has the focus is pressed by Space or Enter, and sliders and tabs are moved by arrows, as everywhere.
  if (key === ' ' || key === 'Enter') return isIn('button, a, summary, input');
  return key.startsWith('Arrow') && isIn('input, [role="tab"]');
}
