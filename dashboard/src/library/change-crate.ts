type CratePage = {
  save: (items: string[], version: number) => Promise<{ version: number }>;
  showToast: (words: string, undo?: () => Promise<void>) => void;
  reload: () => void;
};

/**
 * Puts other songs, or another order, into a crate and tells of it with the way back; whether it was done. The service refuses
 * to change a version that is no longer the last, so that undoing never takes a later change with it.
 */
export async function changeCrate(
  change: { before: string[]; version: number; next: string[]; words: string },
  { save, showToast, reload }: CratePage,
): Promise<boolean> {
  const { before, version, next, words } = change;
  try {
    const made = await save(next, version);
    showToast(words, () =>
      save(before, made.version).then(reload, (error: Error) => {
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
