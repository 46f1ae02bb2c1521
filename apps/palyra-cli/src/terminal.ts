import { StringDecoder } from 'node:string_decoder';
import { styleText } from 'node:util';
import { type Environment, visibleText } from '@palyra/kernel';
import { type WriteEnds, type WriteError, endWriting } from './write-ends.ts';

/** What a colour says. The words and symbols beside it say it too, for those who see no colour. */
export type Tone = 'strong' | 'emphasis' | 'quiet' | 'good' | 'warning' | 'bad' | 'accent';
export type Paint = (tone: Tone, text: string) => string;

export const JSON_FORMAT = 'palyra.cli.v1';

/** The only door to the terminal. Everything that is shown goes through one of these. */
export interface Terminal {
  /** Columns of standard output; 80 where it is not a terminal. */
  readonly width: number;
  /** Somebody looks at standard output right now. */
  readonly isInteractive: boolean;
  readonly symbols: Symbols;
  readonly paint: Paint;
  readonly paintNote: Paint;
  print(text: string): void;
  write(text: string | Uint8Array): void;
  /** One line for the person, apart from the answer. */
  note(text: string): void;
  /** What a command wrote: to a file or a pipe as it is, to a terminal nothing that it obeys. */
  pass(stream: 'stdout' | 'stderr', bytes: Uint8Array): void;
  /** One versioned JSON object on a line of standard output. */
  json(kind: string, fields: Readonly<Record<string, unknown>>): void;
  /** A line that replaces itself; nothing where nobody looks. Empty text takes it away. */
  progress(text: string): void;
  flush(): Promise<void>;
}

export interface Symbols {
  readonly done: string;
  readonly failed: string;
  readonly warning: string;
  readonly none: string;
  readonly gutter: string;
  readonly ellipsis: string;
}

/** The part of a stream that is used here, so that a test can hand in a plain one. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(chunk: string | Uint8Array, done?: (error?: WriteError | null) => void): boolean;
  on(event: 'error', listener: (error: WriteError) => void): unknown;
}

export interface TerminalParts extends WriteEnds {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Environment;
}

const STYLES = {
  strong: 'bold',
  emphasis: 'italic',
  quiet: 'dim',
  good: 'green',
  warning: 'yellow',
  bad: 'red',
  accent: 'cyan',
} as const satisfies Record<Tone, Parameters<typeof styleText>[0]>;

const UNICODE: Symbols = {
  done: '✓',
  failed: '✗',
  warning: '!',
  none: '–',
  gutter: '│',
  ellipsis: '…',
};
const ASCII: Symbols = {
  done: '+',
  failed: 'x',
  warning: '!',
  none: '-',
  gutter: '|',
  ellipsis: '...',
};

const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 40;

export function createTerminal(parts: TerminalParts): Terminal {
  const { stdout, stderr, environment } = parts;
  for (const output of [stdout, stderr]) output.on('error', (error) => endWriting(parts, error));
  const isInteractive = stdout.isTTY === true;
  const { write, progress } = linesOf(parts);
  return {
    width: isInteractive ? Math.max(stdout.columns ?? DEFAULT_WIDTH, MIN_WIDTH) : DEFAULT_WIDTH,
    isInteractive,
    symbols: environment['TERM'] === 'dumb' ? ASCII : UNICODE,
    paint: paintFor(stdout, environment),
    paintNote: paintFor(stderr, environment),
    print: (text) => write('stdout', `${text}\n`),
    write: (text) => write('stdout', text),
    note: (text) => write('stderr', `${text}\n`),
    pass: passTo({ stdout, stderr }, write),
    json: (kind, fields) =>
      write('stdout', `${visibleJson({ format: JSON_FORMAT, kind, ...fields })}\n`),
    progress,
    flush: () =>
      new Promise((resolve) => {
        stdout.write('', (error) => {
          // The event comes later than this, when the program would have ended with a success.
          if (error) endWriting(parts, error);
          resolve();
        });
      }),
  };
}

type Stream = 'stdout' | 'stderr';
type Write = (stream: Stream, text: string | Uint8Array) => void;

/** Both streams end at one screen: a line that replaces itself gives way, and takes nobody else's away. */
function linesOf(outputs: Readonly<Record<Stream, Output>>): {
  readonly write: Write;
  readonly progress: Terminal['progress'];
} {
  const { stderr } = outputs;
  let isShown = false;
  let isLineStart = true;
  return {
    write: (stream, text) => {
      if (isShown) stderr.write(CLEAR_LINE);
      isShown = false;
      if (text.length > 0)
        isLineStart = text.at(-1) === (typeof text === 'string' ? '\n' : NEWLINE);
      outputs[stream].write(text);
    },
    progress: (text) => {
      if (stderr.isTTY !== true || !isLineStart) return;
      stderr.write(`${CLEAR_LINE}${text}`);
      isShown = text !== '';
    },
  };
}

const CLEAR_LINE = '\r\u001b[K';
const NEWLINE = 0x0a;

function passTo(outputs: Readonly<Record<Stream, Output>>, write: Write): Terminal['pass'] {
  // A character may come in two pieces.
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  return (stream, bytes) => {
    const output = outputs[stream];
    if (output.isTTY !== true) return void output.write(bytes);
    write(stream, visibleText(decoders[stream].write(bytes)));
  };
}

/**
 * The same JSON value with nothing in it that a terminal obeys or hides: whatever `visibleText`
 * would show is an escape of JSON.
 */
function visibleJson(value: unknown): string {
  // Every escape is matched whole, so a backslash that is text never begins one of ours.
  return visibleText(JSON.stringify(value), 'one-line').replaceAll(
    /\\(?:u\{([0-9a-f]+)\}|.)/g,
    (escape, hex: string | undefined) => (hex === undefined ? escape : jsonEscape(hex)),
  );
}

function jsonEscape(hex: string): string {
  const units = String.fromCodePoint(Number.parseInt(hex, 16)).split('');
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

/** NO_COLOR and FORCE_COLOR as their own pages define them: set and not empty counts. */
function paintFor(output: Output, environment: Environment): Paint {
  const isSet = (name: string) => (environment[name] ?? '') !== '';
  const forced = isSet('FORCE_COLOR') && environment['FORCE_COLOR'] !== '0';
  const wanted = output.isTTY === true && environment['TERM'] !== 'dumb';
  if (isSet('NO_COLOR') || !(forced || wanted)) return (_tone, text) => text;
  return (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
}
