import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { MAIN } from './cli.ts';

export interface PtyOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** A file that takes standard error, as `2>file` does. */
  readonly errorsTo?: string;
}

/** The CLI from its sources at a terminal of its own, with somebody in front of it. */
export class Pty {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown[]>;
  #raw = '';

  constructor(words: readonly string[], options: PtyOptions) {
    const { environment, columns = 100, rows = 40, errorsTo = '' } = options;
    const given = [...[columns, rows].map(String), errorsTo];
    this.#child = spawn('python3', ['-c', BRIDGE, ...given, process.execPath, MAIN, ...words], {
      env: {
        PATH: process.env['PATH'] ?? '',
        TERM: 'xterm-256color',
        ...environment,
      },
    });
    this.#ended = once(this.#child, 'close');
    this.#child.stdin.on('error', () => this.#child.stdin.destroy());
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.#raw += text));
  }

  /** Everything that was written, with what the terminal was told to do. */
  get raw(): string {
    return this.#raw;
  }

  /** Everything that was written, as one could read it. */
  get text(): string {
    return stripVTControlCharacters(this.#raw);
  }

  press(keys: string): void {
    this.#child.stdin.write(keys);
  }

  /** Contract: rejects when the program ends without having said it. */
  async says(words: string | RegExp): Promise<void> {
    while (!this.hasSaid(words)) {
      if (this.#child.exitCode !== null) throw new Error(`ended without saying it: ${this.text}`);
      await delay(20);
    }
  }

  hasSaid(words: string | RegExp): boolean {
    return typeof words === 'string' ? this.text.includes(words) : words.test(this.text);
  }

  /** Asks the program to end, as the system does. */
  terminate(): void {
    this.#child.kill('SIGTERM');
  }

  async end(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }
}

/** Carries bytes between its own streams and a terminal, and ends as the program at it did. */
const BRIDGE = `
import fcntl, os, pty, select, signal, struct, sys, termios
columns, rows = int(sys.argv[1]), int(sys.argv[2])
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
    if sys.argv[3] != '':
        os.dup2(os.open(sys.argv[3], os.O_WRONLY | os.O_CREAT, 0o600), 2)
    os.execv(sys.argv[4], sys.argv[4:])
signal.signal(signal.SIGTERM, lambda number, frame: os.kill(pid, number))
sources = [terminal, 0]
while terminal in sources:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 65536)
        except OSError:
            data = b''
        if not data:
            sources.remove(source)
        elif source == terminal:
            os.write(1, data)
        else:
            os.write(terminal, data)
status = os.waitpid(pid, 0)[1]
sys.exit(os.waitstatus_to_exitcode(status) % 256)
`;
