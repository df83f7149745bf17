import { type RefObject, useEffect, useState } from 'react';

/** The width of an element's content box, kept up to date; 0 until it has been measured. */
export function useWidthPx(element: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidthPx(Math.floor(entry!.contentRect.width)));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return widthPx;
}
