import { useEffect } from 'react';

/** Sets the document title until the page is left; screen readers announce it too. Null leaves it to a nested page. */
export function useTitle(name: string | null): void {
  useEffect(() => {
    if (name === null) return;
    document.title = `${name} · Earshot`;
    return () => {
      document.title = 'Earshot';
    };
  }, [name]);
}
