import type { ReactNode } from 'react';
import { Menu, MenuLink } from './menu.tsx';

/** The head of a song or a crate: its name, a line about it, and what can be done with it. */
export function PageHead(props: { title: string; line: ReactNode; children: ReactNode }) {
  const { title, line, children } = props;
  return (
    <header className="spread page-head">
      <div className="page-title">
        <h1>{title}</h1>
        <p className="soft">{line}</p>
      </div>
      <div className="row no-print">{children}</div>
    </header>
  );
}

/** `children` stand above the formats. */
export function ExportMenu<F extends string>(props: {
  formats: readonly (readonly [format: F, name: string])[];
  hrefOf: (format: F) => string;
  children?: ReactNode;
}) {
  const { formats, hrefOf, children } = props;
  return (
    <Menu trigger="Export" className="main">
      {children}
      {formats.map(([format, name]) => (
        <MenuLink key={format} href={hrefOf(format)} download>
          {name}
        </MenuLink>
      ))}
    </Menu>
  );
}
