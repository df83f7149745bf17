import { Fragment, type ReactNode } from 'react';

export type Column<Row> = {
  title: string;
  /** For columns of buttons: said to screen readers only. */
  titleHidden?: boolean;
  cell: (row: Row) => ReactNode;
};

/** A list as a table that scrolls inside its own box where the screen is narrow, by touch, wheel or arrow keys. */
export function DataTable<Row>(props: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** What stands under a row, as wide as the table; null for nothing. */
  below?: (row: Row) => ReactNode;
  /** What is said when there are no rows. */
  empty: string;
  /** On a phone a row is a card of names and values; side by side it stays a row, under its first cell. */
  look?: 'stacks' | 'side-by-side';
}) {
  const { label, columns, rows, rowKey, below, empty, look = 'stacks' } = props;
  if (rows.length === 0) return <p className="page-state">{empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the table.
    <section className={`scroll-x ${look}`} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, titleHidden }) => (
              <th key={title} scope="col">
                {titleHidden ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const under = below?.(row);
            return (
              <Fragment key={rowKey(row)}>
                <tr>
                  {columns.map(({ title, titleHidden, cell }) => (
                    <td
                      key={title}
                      className={titleHidden ? 'actions' : undefined}
                      data-label={titleHidden ? '' : title}
                    >
                      <div>{cell(row)}</div>
                    </td>
                  ))}
                </tr>
                {under && (
                  <tr>
                    <td colSpan={columns.length} className="whole">
                      {under}
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
