import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';

type Toast = { id: number; text: string; undo: (() => void) | null };
type ShowToast = (text: string, undo?: () => void) => void;

const ToastContext = createContext<ShowToast>(() => {});
/** Long enough to read; a toast with an Undo button stays longer, so that the button can be reached. */
const SHOWN_MS = 5_000;
const SHOWN_WITH_UNDO_MS = 10_000;
/** Older ones are removed, or they would cover the page. */
const TOASTS_MAX = 3;

/** Short messages at the bottom of the page, with an Undo button where the action can be undone. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const nextId = useRef(0);
  const drop = (id: number) => setToasts((list) => list.filter((toast) => toast.id !== id));
  const showToast = useCallback<ShowToast>((text, undo) => {
    const id = nextId.current++;
    setToasts((list) => [...list.slice(1 - TOASTS_MAX), { id, text, undo: undo ?? null }]);
    setTimeout(() => drop(id), undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS);
  }, []);
  return (
    <ToastContext value={showToast}>
      {children}
      <div className="toasts" role="status">
        {toasts.map(({ id, text, undo }) => (
          <div key={id} className="toast">
            <span>{text}</span>
            {undo && (
              <button
                type="button"
                onClick={() => {
                  drop(id);
                  undo();
                }}
              >
                Undo
              </button>
            )}
          </div>
        ))}
      </div>
    </ToastContext>
  );
}

export function useToast(): ShowToast {
  return useContext(ToastContext);
}
