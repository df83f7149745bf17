import { Fragment, type ReactNode } from 'react';

export type Column<Row> = {
  title: string;
  /** For columns of buttons: the title is for screen readers only. */
  titleHidden?: boolean;
  cell: (row: Row) => ReactNode;
};

/** A table that scrolls sideways inside its own box on a narrow screen, by touch, wheel or arrow keys. */
export function DataTable<Row>(props: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** A full-width row under a row; null for none. */
  below?: (row: Row) => ReactNode;
  /** Shown when there are no rows. */
  empty: string;
  /** On a phone: `stacks` makes each row a card of titles and values, `side-by-side` keeps rows, with the first cell above the others. */
  phoneLayout?: 'stacks' | 'side-by-side';
}) {
  const { label, columns, rows, rowKey, below, empty, phoneLayout = 'stacks' } = props;
  if (rows.length === 0) return <p className="page-state">{empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the table.
    <section className={`scroll-x ${phoneLayout}`} aria-label={label} tabIndex={0}>
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
