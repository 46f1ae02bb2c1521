import type { ReactNode } from 'react';

export interface TableProps {
  readonly label: string;
  /** An empty one is that of buttons. */
  readonly columns: readonly string[];
  readonly children: ReactNode;
}

/** Scrolls sideways in its own box where it does not fit. Rows are `<tr>` of `<Cell>`s. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full text-left text-sm">
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
  return <td className="px-4 py-2.5 align-middle">{children}</td>;
}
