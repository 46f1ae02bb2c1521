import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { startProgram, stopProgram } from './child.ts';

/**
 * A browser that is told what to do and not listened to. Whoever listens for errors, as every test
 * does, has the browser find the place of each one that is made, and React makes a few when it
 * starts: its scripts are then read twice more, which no visitor's browser does.
 */
export interface BareBrowser extends AsyncDisposable {
  openPage(): Promise<BarePage>;
}

export interface BarePage extends AsyncDisposable {
  send(method: string, params?: Readonly<Record<string, unknown>>): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
}

const REPLY = z.object({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
const TARGET = z.object({ targetId: z.string() });
const SESSION = z.object({ sessionId: z.string() });
const EVALUATED = z.object({ result: z.object({ value: z.unknown().optional() }) });

export async function launchBareBrowser(): Promise<BareBrowser> {
  await using stack = new AsyncDisposableStack();
  const profile = stack.use(await mkdtempDisposable(join(tmpdir(), 'palyra-profile-')));
  const program = { file: '/usr/bin/chromium', args: argumentsFor(profile.path) };
  const browser = startProgram(program, ['ignore', 'ignore', 'pipe']);
  stack.defer(() => stopProgram(browser));
  const line = stack.use(await Line.to(await addressIn(browser)));
  const release = stack.move();
  return {
    openPage: () => openPage(line),
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

function argumentsFor(profile: string): readonly string[] {
  return [
    '--headless',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--disable-background-networking',
    // Chromium refuses to start its own sandbox as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}

async function addressIn({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new TypeError('the browser cannot be heard');
  for await (const text of createInterface({ input: stderr })) {
    const [, address] = /^DevTools listening on (ws:\S+)$/.exec(text) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('the browser did not say where it listens');
}

async function openPage(line: Line): Promise<BarePage> {
  const { targetId } = TARGET.parse(
    await line.ask({ method: 'Target.createTarget', params: { url: 'about:blank' } }),
  );
  const attached = await line.ask({
    method: 'Target.attachToTarget',
    params: { targetId, flatten: true },
  });
  const { sessionId } = SESSION.parse(attached);
  const send: BarePage['send'] = (method, params = {}) => line.ask({ method, params, sessionId });
  return {
    send,
    evaluate: async (expression) =>
      EVALUATED.parse(await send('Runtime.evaluate', { expression })).result.value,
    [Symbol.asyncDispose]: async () =>
      void (await line.ask({ method: 'Target.closeTarget', params: { targetId } })),
  };
}

interface Question {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
}

/** Questions and answers of the DevTools protocol; what else the browser says is not heard. */
class Line implements Disposable {
  readonly #socket: WebSocket;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#hear(String(data)));
    socket.addEventListener('close', () => this.#end());
  }

  static async to(address: string): Promise<Line> {
    const socket = new WebSocket(address);
    await once(socket, 'open');
    return new Line(socket);
  }

  async ask(question: Question): Promise<unknown> {
    // What is sent into a closed one is lost without a word, and its answer waited for forever.
    if (this.#socket.readyState !== WebSocket.OPEN) throw gone();
    const id = (this.#last += 1);
    const answer = Promise.withResolvers<unknown>();
    this.#asked.set(id, answer);
    this.#socket.send(JSON.stringify({ id, ...question }));
    return await answer.promise;
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  #hear(text: string): void {
    const { id, result, error } = REPLY.parse(JSON.parse(text));
    if (id === undefined) return;
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(error.message));
  }

  #end(): void {
    for (const { reject } of this.#asked.values()) reject(gone());
  }
}

function gone(): Error {
  return new Error('the browser is gone');
}
