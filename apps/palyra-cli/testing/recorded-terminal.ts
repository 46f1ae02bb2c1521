import { type Output, type Terminal, createTerminal } from '../src/terminal.ts';
import type { WriteError } from '../src/write-ends.ts';

/** Streams that remember what was written, with the terminal in front of them. */
export interface RecordedTerminal {
  readonly terminal: Terminal;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Breaks the pipe as a reader that goes away does. */
  readonly breakPipe: (code: string) => void;
  readonly readerGone: () => number;
  /** Codes of the errors that were no gone reader. */
  readonly failures: readonly string[];
}

export interface RecordedTerminalOptions {
  readonly columns?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** With columns it is a terminal that somebody looks at; without, a pipe. */
export function recordedTerminal(options: RecordedTerminalOptions = {}): RecordedTerminal {
  const [out, err] = [recordedOutput(options.columns), recordedOutput(options.columns)];
  let gone = 0;
  const failures: string[] = [];
  const terminal = createTerminal({
    stdout: out.output,
    stderr: err.output,
    environment: options.environment ?? { NO_COLOR: '1' },
    onReaderGone: () => {
      gone += 1;
    },
    onWriteFailed: ({ code = '' }) => void failures.push(code),
  });
  const { text: stdout, fail: breakPipe } = out;
  return { terminal, stdout, stderr: err.text, breakPipe, readerGone: () => gone, failures };
}

function recordedOutput(columns: number | undefined) {
  const chunks: string[] = [];
  const listeners: ((error: WriteError) => void)[] = [];
  const output: Output = {
    isTTY: columns !== undefined,
    ...(columns === undefined ? {} : { columns }),
    write(chunk, done) {
      chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
      done?.();
      return true;
    },
    on: (_event, listener) => listeners.push(listener),
  };
  const fail = (code: string) => {
    for (const listener of listeners) listener(Object.assign(new Error('broken'), { code }));
  };
  return { output, text: () => chunks.join(''), fail };
}
