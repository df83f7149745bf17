import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Makes its content only when a person is about to scroll to it: what nobody looks at is neither loaded nor drawn. */
export function WhenSeen({ children }: { children: () => ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: '300px' },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className={seen ? undefined : 'unseen'}>
      {seen && children()}
    </div>
  );
}
