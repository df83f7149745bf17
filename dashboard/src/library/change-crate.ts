import { ApiError } from '@earshot/sdk';

type Ports = {
  save: (items: string[], version: number) => Promise<{ version: number }>;
  showToast: (message: string, undo?: () => Promise<void>) => void;
  reload: () => void;
};

/**
 * Replaces the songs of a crate, or their order, and offers to undo it; resolves to whether it succeeded. The service accepts only
 * a change of the latest version, so undoing never overwrites a later change.
 */
export async function changeCrate(
  change: { before: string[]; version: number; next: string[]; message: string },
  { save, showToast, reload }: Ports,
): Promise<boolean> {
  const { before, version, next, message } = change;
  try {
    const saved = await save(next, version);
    showToast(message, () =>
      save(before, saved.version).then(reload, (error: Error) => {
        showToast(refusalText('Not undone', error));
        reload();
      }),
    );
    return true;
  } catch (error) {
    showToast(refusalText('Not changed', error as Error));
    return false;
  } finally {
    reload();
  }
}

/** The service's own message calls the crate a collection and asks to read it again, which the page does by itself. */
function refusalText(outcome: 'Not changed' | 'Not undone', error: Error): string {
  const isOutdated = error instanceof ApiError && error.code === 'precondition_failed';
  return isOutdated ? `${outcome}: the crate was changed meanwhile.` : error.message;
}
