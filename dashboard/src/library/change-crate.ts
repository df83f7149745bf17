type CratePage = {
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
  { save, showToast, reload }: CratePage,
): Promise<boolean> {
  const { before, version, next, message } = change;
  try {
    const saved = await save(next, version);
    showToast(message, () =>
      save(before, saved.version).then(reload, (error: Error) => {
        showToast(error.message);
        reload();
      }),
    );
    return true;
  } catch (error) {
    showToast((error as Error).message);
    return false;
  } finally {
    reload();
  }
}
