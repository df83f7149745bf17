import type { ReactNode } from 'react';
import { Menu, MenuLink } from './menu.tsx';

/** `children` are menu entries above the formats. */
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
