import { type RefObject, useEffect, useState } from 'react';

/** How wide an element is inside of its padding, as it changes with the window; 0 until it has been measured. */
export function useWidthPx(element: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidthPx(Math.floor(entry!.contentRect.width)));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return widthPx;
}
