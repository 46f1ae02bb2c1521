import { parentPort, workerData } from 'node:worker_threads';
import { type FormatOptions, type SelectorDefinition, convert } from 'html-to-text';
import type { HtmlPage } from './hands.ts';

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
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
  ];
  return convert(html, { wordwrap: false, limits: LIMITS, selectors });
}
