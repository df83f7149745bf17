import { useEffect } from 'react';

/** Sets the document title, which screen readers announce too; null leaves it to a nested page. */
export function useTitle(name: string | null): void {
  useEffect(() => {
    if (name !== null) document.title = `${name} · Earshot`;
  }, [name]);
}
