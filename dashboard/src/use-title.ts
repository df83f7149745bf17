import { useEffect } from 'react';

/** The name of the page in the tab and for a screen reader that arrives on it; null leaves it to a page further inside. */
export function useTitle(name: string | null): void {
  useEffect(() => {
    if (name !== null) document.title = `${name} · Earshot`;
  }, [name]);
}
