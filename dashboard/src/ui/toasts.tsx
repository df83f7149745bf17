import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';

type Toast = { id: number; text: string; undo: (() => void) | null };
type ShowToast = (text: string, undo?: () => void) => void;

const ToastContext = createContext<ShowToast>(() => {});
/** Long enough to read and to reach the button; one that can be undone stays longer. */
const SHOWN_MS = 5_000;
const SHOWN_WITH_UNDO_MS = 10_000;

/** Short news at the foot of the page, with the way back where there is one. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const nextId = useRef(0);
  const drop = (id: number) => setToasts((list) => list.filter((toast) => toast.id !== id));
  const showToast = useCallback<ShowToast>((text, undo) => {
    const id = nextId.current++;
    setToasts((list) => [...list.slice(-2), { id, text, undo: undo ?? null }]);
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
