/** Files that nobody edits by hand: where they are and how each is made. */
export interface Generator {
  /** A file, or a folder in which everything is generated. */
  readonly owns: string;
  /** Contract: writes nothing below `root`; gives every file that `owns` should hold. */
  render(root: string): Promise<Pages> | Pages;
}

/** Text by path from the root. */
export type Pages = ReadonlyMap<string, string>;

export function page(path: string, render: (root: string) => Promise<string> | string): Generator {
  return {
    owns: path,
    render: async (root) => new Map([[path, await render(root)]]),
  };
}

/** Above every page for people, so that nobody corrects it in the wrong place. */
export function generatedFrom(source: string): string {
  return `<!-- Made from ${source} by \`npm run generate\`. -->`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}
