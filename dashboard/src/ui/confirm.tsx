import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { useToast } from './toasts.tsx';

export type Question = { title: string; text: string; action: string };
type Confirm = (question: Question) => Promise<boolean>;

const ConfirmContext = createContext<Confirm>(async () => false);

/** Provides the confirmation dialog for actions that cannot be undone. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const answer = useRef<(yes: boolean) => void>(() => {});
  const confirm = useCallback<Confirm>(
    (newQuestion) =>
      new Promise((resolve) => {
        answer.current = resolve;
        setQuestion(newQuestion);
      }),
    [],
  );
  const close = (yes: boolean) => {
    setQuestion(null);
    answer.current(yes);
  };
  return (
    <ConfirmContext value={confirm}>
      {children}
      {question && (
        <Dialog title={question.title} onClose={() => close(false)}>
          <p>{question.text}</p>
          <div className="row">
            <button type="button" className="main" onClick={() => close(true)}>
              {question.action}
            </button>
            <button type="button" onClick={() => close(false)}>
              Cancel
            </button>
          </div>
        </Dialog>
      )}
    </ConfirmContext>
  );
}

export function useConfirm(): Confirm {
  return useContext(ConfirmContext);
}

/** Runs `work` once the user has confirmed; a failure is shown as a toast. */
export function useConfirmed(): (question: Question, work: () => Promise<void>) => Promise<void> {
  const confirm = useConfirm();
  const showToast = useToast();
  return async (question, work) => {
    if (await confirm(question)) await work().catch((error: Error) => showToast(error.message));
  };
}
