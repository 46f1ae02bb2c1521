import { parentPort, workerData } from 'node:worker_threads';
import { type DomNode, type FormatOptions, type SelectorDefinition, convert } from 'html-to-text';
import type { HtmlPage } from './hands.ts';
import { judged, judgedElements, seenTable } from './unseen.ts';

/** Nothing that a reader reads. */
const SKIPPED = ['script', 'style', 'noscript', 'template', 'svg', 'img', 'nav', 'iframe'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const LIMITS = {
  maxInputLength: 67_108_864,
  maxDepth: 256,
  maxChildNodes: 50_000,
  ellipsis: '…',
} as const;

/** A thread for one page: whatever that does to the parser, it is gone with it. */
const given: unknown = workerData;
if (isPage(given)) parentPort?.postMessage(readableText(given), []);

function isPage(value: unknown): value is HtmlPage {
  return typeof value === 'object' && value !== null && 'html' in value && 'origin' in value;
}

function readableText({ html, origin }: HtmlPage): string {
  const links: FormatOptions = { baseUrl: origin, hideLinkHrefIfSameAsText: true };
  const selectors: SelectorDefinition[] = [
    { selector: 'a', options: links },
    { selector: 'title', format: 'title' },
    { selector: 'table', format: 'seenTable', options: { uppercaseHeaderCells: false } },
    ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
    ...judgedElements,
  ];
  const titles: string[] = [];
  const title = (element: DomNode) => void titles.push(titleIn(element));
  const text = convert(html, {
    wordwrap: false,
    limits: LIMITS,
    selectors,
    formatters: { title, judged, seenTable },
    // All of it: a title stands outside of the body, and many pages have no body.
    baseElements: { selectors: [] },
  });
  return [...titles.slice(0, 1), text].filter((part) => part !== '').join('\n\n');
}

function titleIn({ children }: DomNode): string {
  const text = children.map(({ data = '' }) => data).join('');
  return text.replaceAll(/\s+/g, ' ').trim();
}
