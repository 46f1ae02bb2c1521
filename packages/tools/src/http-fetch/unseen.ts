import type { DomNode, FormatCallback, SelectorDefinition } from 'html-to-text';

/**
 * What a page hides from people is where it speaks to models alone, so it is left out. Only what an
 * element says of itself counts: style sheets are not read.
 */

/** Whoever has one of these may be something that nobody sees. */
const JUDGED: readonly string[] = ['hidden', 'aria-hidden', 'style'];

const UNSEEN_STYLE =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))(?=[\s;!]|$)/i;

export const judgedElements: readonly SelectorDefinition[] = JUDGED.map((name) => ({
  selector: `[${name}]`,
  format: 'judged',
}));

/** Without what was judged, an element is formatted like any other of its name. */
export const judged: FormatCallback = (element, walk, builder) => {
  if (isUnseen(element)) return;
  const others = [...attributesOf(element)].filter(([name]) => !JUDGED.includes(name));
  element.attribs = Object.fromEntries(others);
  walk([element], builder);
};

/** The library finds rows and cells by itself, without a look at what is said about their format. */
export const seenTable: FormatCallback = (...[table, walk, builder, options]) => {
  leaveOutUnseen(table);
  builder.options.formatters['dataTable']?.(table, walk, builder, options);
};

const PARTS_OF_TABLES: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot', 'center', 'tr']);

function leaveOutUnseen(element: DomNode): void {
  element.children = element.children.filter((child) => !isUnseen(child));
  for (const child of element.children) {
    if (PARTS_OF_TABLES.has(child.name ?? '')) leaveOutUnseen(child);
  }
}

function isUnseen(element: DomNode): boolean {
  const attributes = attributesOf(element);
  return (
    attributes.has('hidden') ||
    attributes.get('aria-hidden')?.trim().toLowerCase() === 'true' ||
    UNSEEN_STYLE.test(attributes.get('style') ?? '')
  );
}

/** Texts have none. */
function attributesOf(element: DomNode): ReadonlyMap<string, string> {
  const given: unknown = element.attribs;
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  return new Map(entries.map(([name, value]) => [name, String(value)]));
}
