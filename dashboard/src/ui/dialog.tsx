import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

/** A modal dialog, the browser's own, which keeps the focus inside. When it closes, the focus returns to the element that opened it. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  /** Escape does not close it: its action is still running. */
  isLocked?: boolean;
  children: ReactNode;
}) {
  const { title, onClose, isLocked = false, children } = props;
  const element = useRef<HTMLDialogElement>(null);
  const [opener] = useState(findOpener);
  useLayoutEffect(() => {
    element.current?.showModal();
    const dialog = element.current;
    return () => {
      dialog?.close();
      opener?.focus();
    };
  }, [opener]);
  return (
    <dialog
      ref={element}
      aria-label={title}
      onClose={onClose}
      onCancel={(event) => (isLocked ? event.preventDefault() : onClose())}
    >
      <div className="stack">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

/** The element that has the focus before the dialog is rendered; for a menu item, which disappears with its menu, the menu's button. */
function findOpener(): HTMLElement | null {
  const focused = document.activeElement as HTMLElement | null;
  const button = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return button ? document.getElementById(button) : focused;
}
