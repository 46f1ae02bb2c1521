import { writeSync } from 'node:fs';
import { styleText } from 'node:util';
import type { Environment } from '@palyra/kernel';

/** What a colour says. The words and symbols beside it say it too, for those who see no colour. */
export type Tone = 'strong' | 'quiet' | 'good' | 'warning' | 'bad' | 'accent';
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
  write(chunk: string | Uint8Array, done?: () => void): boolean;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export interface TerminalParts {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Environment;
  /** Called when the reader of a pipe has gone and nothing more can be shown. */
  readonly onReaderGone: () => void;
}

const STYLES = {
  strong: 'bold',
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
  for (const output of [stdout, stderr]) {
    output.on('error', (error) => {
      // Whatever the pipe's trouble is, there is nobody left to tell it to.
      if (error.code === 'EPIPE' || error.code === 'EIO') parts.onReaderGone();
      else throw error;
    });
  }
  const isInteractive = stdout.isTTY === true;
  return {
    width: isInteractive ? Math.max(stdout.columns ?? DEFAULT_WIDTH, MIN_WIDTH) : DEFAULT_WIDTH,
    isInteractive,
    symbols: environment['TERM'] === 'dumb' ? ASCII : UNICODE,
    paint: paintFor(stdout, environment),
    paintNote: paintFor(stderr, environment),
    print: (text) => void stdout.write(`${text}\n`),
    write: (text) => void stdout.write(text),
    note: (text) => void stderr.write(`${text}\n`),
    json: (kind, fields) =>
      void stdout.write(`${JSON.stringify({ format: JSON_FORMAT, kind, ...fields })}\n`),
    progress: (text) => {
      if (stderr.isTTY === true) stderr.write(`\r\u001b[K${text}`);
    },
    flush: () => new Promise((resolve) => void stdout.write('', () => resolve())),
  };
}

/** For one short answer: opening the streams costs more than everything else about it. */
export function sayAtOnce(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    // A pipe that is full or closed right now: the stream knows how to wait, and whom to tell.
    process.stdout.on('error', () => process.exit(0));
    process.stdout.write(text);
  }
}

/** NO_COLOR and FORCE_COLOR as their own pages define them: set and not empty counts. */
function paintFor(output: Output, environment: Environment): Paint {
  const isSet = (name: string) => (environment[name] ?? '') !== '';
  const forced = isSet('FORCE_COLOR') && environment['FORCE_COLOR'] !== '0';
  const wanted = output.isTTY === true && environment['TERM'] !== 'dumb';
  if (isSet('NO_COLOR') || !(forced || wanted)) return (_tone, text) => text;
  return (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
}
