import { useEffect, useRef } from 'react';

export type Shortcuts = Record<string, (event: KeyboardEvent) => void>;

/** Keys of a page, unless one is typing or a menu or dialog is open. A key is named as `KeyboardEvent.key` has it. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.key, event.target)) return;
      const work = latest.current[event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key];
      if (!work) return;
      event.preventDefault();
      work(event);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

function isBusy(key: string, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (document.querySelector('dialog[open], .menu')) return true;
  if (target.isContentEditable || target.closest('textarea, select')) return true;
  if (target instanceof HTMLInputElement && !/^(checkbox|radio|range)$/.test(target.type)) return true;
  // What has the focus is pressed by Space or Enter, and sliders and tabs are moved by arrows, as everywhere.
  if (key === ' ' || key === 'Enter') return target.closest('button, a, summary, input') !== null;
  return key.startsWith('Arrow') && target.closest('input, [role="tab"]') !== null;
}
