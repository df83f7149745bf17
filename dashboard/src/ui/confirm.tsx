import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { useToast } from './toasts.tsx';

export type Question = { title: string; text: string; action: string };
type Ask = (question: Question) => Promise<boolean>;

const AskContext = createContext<Ask>(async () => false);

/** Asks before what cannot be undone. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const answer = useRef<(yes: boolean) => void>(() => {});
  const ask = useCallback<Ask>(
    (asked) =>
      new Promise((resolve) => {
        answer.current = resolve;
        setQuestion(asked);
      }),
    [],
  );
  const close = (yes: boolean) => {
    setQuestion(null);
    answer.current(yes);
  };
  return (
    <AskContext value={ask}>
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
    </AskContext>
  );
}

export function useConfirm(): Ask {
  return useContext(AskContext);
}

/** Asks, does it after a yes, and says so when it failed. */
export function useConfirmed(): (question: Question, work: () => Promise<void>) => Promise<void> {
  const confirm = useConfirm();
  const showToast = useToast();
  return async (question, work) => {
    if (await confirm(question)) await work().catch((error: Error) => showToast(error.message));
  };
}
