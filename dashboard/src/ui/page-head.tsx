import type { ReactNode } from 'react';

/** The header of a song or a crate: its name, a line about it, and its actions. */
export function PageHead(props: { title: string; line: ReactNode; children: ReactNode }) {
  const { title, line, children } = props;
  return (
    <header className="spread page-head">
      <div className="page-title">
        <h1 dir="auto">{title}</h1>
        <p className="soft">{line}</p>
      </div>
      <div className="row no-print">{children}</div>
    </header>
  );
}
