import type { CSSProperties, ReactNode } from 'react';

export interface TableProps {
  readonly label: string;
  /** An empty one is that of buttons. */
  readonly columns: readonly string[];
  readonly children: ReactNode;
}

/**
 * Rows are `<tr>` of `<Cell>`s. Scrolls sideways in its own box where it does not fit; on a phone each row
 * is a list of its own, every value with the name of its column, so that none is out of sight.
 */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={label}>
      <table className="stacked w-full text-left text-sm" style={namesOf(columns)}>
        <thead>
          <tr className="border-b border-line text-xs text-soft">
            {columns.map((column) => (
              <th key={column} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">
                {column === '' ? <span className="sr-only">What to do</span> : column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </div>
  );
}

export function Cell({ children }: { readonly children?: ReactNode }) {
  return <td className="align-middle sm:px-4 sm:py-2.5">{children}</td>;
}

/** For the style sheet, which writes them before the values. */
function namesOf(columns: readonly string[]): CSSProperties {
  return Object.fromEntries(
    columns.map((column, place) => [`--column-${place + 1}`, JSON.stringify(column)]),
  );
}
