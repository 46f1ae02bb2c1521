export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** A Markdown table as the formatter would write it, so that the page passes its check. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ title }, index) =>
    Math.max(3, title.length, ...rows.map((row) => (row[index] ?? '').length)),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const pad = (text: string, index: number) =>
    columns[index]?.align === 'right'
      ? text.padStart(widths[index] ?? 0)
      : text.padEnd(widths[index] ?? 0);
  const rule = columns.map(({ align }, index) => {
    const dashes = '-'.repeat(widths[index] ?? 3);
    return align === 'right' ? `${dashes.slice(1)}:` : dashes;
  });
  return [
    line(columns.map(({ title }, index) => pad(title, index))),
    line(rule),
    ...rows.map((row) => line(row.map(pad))),
  ].join('\n');
}
