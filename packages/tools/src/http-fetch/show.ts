import { PalyraError, quote, sha256Hex, visibleText } from '@palyra/kernel';
import type { Method } from '../canonical/method.ts';
import type { WebAddress } from '../canonical/url.ts';
import { answer } from '../workspace/answer.ts';
import { type Content, mimeOf, readContent } from './content.ts';
import type { Answer } from './exchange.ts';
import type { FetchHands } from './hands.ts';
import type { Hop } from './redirect.ts';

/** What was said at an address. */
export interface Arrival {
  readonly address: WebAddress;
  readonly method: Method;
  readonly answer: Answer;
  readonly hop: Hop;
}

interface Shown {
  readonly bytes: Uint8Array;
  readonly artifact?: Uint8Array;
}

/** A line of ours about the answer, the headers that one acts on, then its text, readable if there is time for that. */
export async function show(
  arrival: Arrival,
  hands: FetchHands,
  signal: AbortSignal,
): Promise<Shown> {
  const said = arrival.answer;
  const head = [`HTTP ${said.status} ${oneLine(said.statusText)}`.trimEnd(), ...wayOf(arrival)];
  if (arrival.method === 'HEAD') {
    return { bytes: answer([...head, 'only its head was asked for'], aboutBody(said)) };
  }
  const content: Content = said.isSealed
    ? { kind: 'binary' }
    : readContent(said.headers.get('content-type'), said.body);
  switch (content.kind) {
    case 'empty':
      return withBody([...head, 'no content'], said, '');
    case 'binary':
      return kept(head, said, hands.limits.maxBytes);
    case 'text':
    case 'html': {
      const { text, note } = await readable(content, arrival, { hands, signal });
      const size = `${said.body.length} bytes${said.isCut ? ', cut there' : ''}`;
      const about = [`${typeOf(said)} in ${content.charset}`, size, ...note];
      return withBody([...head, ...about], said, text);
    }
  }
}

/** What is no text is kept whole and named; a piece of it would be of no use to anybody. */
function kept(head: readonly string[], said: Answer, maxBytes: number): Shown {
  if (said.isCut) {
    throw new PalyraError(
      'TOOL_FAILED',
      `the answer is not a text, and longer than ${maxBytes} bytes`,
      {
        help: 'fetch it in a sandbox with `process.run`',
      },
    );
  }
  const name = `artifact sha256:${sha256Hex(new Uint8Array(said.body))}`;
  const about = [
    `${typeOf(said)}, not a text`,
    `its ${said.body.length} bytes are kept as ${name}`,
  ];
  return { ...withBody([...head, ...about], said, ''), artifact: said.body };
}

interface Means {
  readonly hands: FetchHands;
  readonly signal: AbortSignal;
}

async function readable(
  { kind, text }: Extract<Content, { readonly text: string }>,
  { address }: Arrival,
  { hands, signal }: Means,
): Promise<{ readonly text: string; readonly note: readonly string[] }> {
  if (kind === 'text') return { text, note: [] };
  try {
    const { origin } = new URL(address.url);
    const page = await hands.readableText({ html: text, origin }, signal);
    return { text: page, note: ['what the page says'] };
  } catch (error) {
    if (!(error instanceof PalyraError)) throw error;
    // The host has answered, however long the reading took: what it said is not lost for that.
    return { text, note: [`its source, because ${error.message}`] };
  }
}

function withBody(head: readonly string[], said: Answer, text: string): Shown {
  return { bytes: answer(head, Buffer.from(`${linesOf(said, SHOWN_HEADERS)}\n${text}`)) };
}

/** What else a head says, where the body that it is about does not come. */
function aboutBody(said: Answer): Uint8Array {
  return Buffer.from(`${linesOf(said, [...BODY_HEADERS, ...SHOWN_HEADERS])}\n`);
}

function linesOf({ headers }: Answer, names: readonly string[]): string {
  const lines = names.flatMap((name) => {
    const value = headers.get(name);
    return value === undefined ? [] : [`${name}: ${oneLine(value)}\n`];
  });
  return lines.join('');
}

/** What a caller acts on. Cookies and the like are nobody's business here. */
const SHOWN_HEADERS: readonly string[] =
  'location link last-modified etag retry-after www-authenticate allow content-language'.split(' ');
/** With a body, what came of it is told instead. */
const BODY_HEADERS: readonly string[] = ['content-type', 'content-length', 'content-encoding'];
const MAX_SHOWN = 1024;

function wayOf({ hop }: Arrival): readonly string[] {
  switch (hop.kind) {
    case 'none':
      return [];
    case 'elsewhere':
      return [`it leads to ${quote(hop.url)}; fetch that if it is meant`];
    case 'unreadable':
      return [`it leads to an address that ${hop.reason}`];
  }
}

function typeOf(said: Answer): string {
  return oneLine(mimeOf(said.headers.get('content-type'))?.essence ?? 'of no stated type');
}

function oneLine(text: string): string {
  return visibleText(text.slice(0, MAX_SHOWN), 'one-line');
}
