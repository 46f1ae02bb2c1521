import type { ChildProcess } from 'node:child_process';
import { PalyraError } from '@palyra/kernel';
import type { Ending, SandboxRequest } from '../model.ts';
import type { TellStep } from '../proof/verdict-desk.ts';
import type { Verdict } from '../proof/verdict.ts';
import { MAX_RUNS } from './bounds.ts';
import { gibberish, gone, hangs, notStarted } from './link-faults.ts';
import { EVENT, type Event, type Opening, type Order } from './messages.ts';
import { Outbox } from './outbox.ts';
import { cageWithinBounds, withinBounds } from './request-bounds.ts';
import type {
  ExpectedRequest,
  Explanation,
  RunWatch,
  SandboxLoad,
  SecretPort,
} from './sandboxes.ts';
import { type StartedProcess, startProcess } from './start-process.ts';
import { RunTask, type Task, toError } from './task.ts';

export interface LinkParts {
  readonly program: string;
  readonly opening: Opening;
  readonly secrets: SecretPort;
  /** Told what it says of itself, for the log. Contract: must not throw. */
  readonly onWords: (words: string) => void;
}

/** Orders that may be on their way and not taken yet. */
const MAX_PENDING_BYTES = 128 * 1024 * 1024;
/** After its own deadline everything must have ended; if not, the other process hangs. */
const GRACE_MS = 60_000;
const EXPLAIN_MS = 60_000;
const PROOF_MS = 300_000;
const START_MS = 60_000;
/** Until it has ended by itself after the channel was closed. */
const CLOSE_MS = 3_000;

/**
 * One process that makes sandboxes, and what it owes us. INVARIANT: each task is settled exactly once,
 * however that process ends; whatever it says that it should not ends it.
 */
export class Link {
  readonly #process: StartedProcess;
  readonly #child: ChildProcess;
  readonly #outbox: Outbox;
  readonly #secrets: SecretPort;
  readonly #tasks = new Map<number, { readonly task: Task; readonly timer: NodeJS.Timeout }>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<PalyraError>();
  #isReady = false;
  #lastId = 0;
  #end: PalyraError | undefined;

  /** Contract: throws SANDBOX_UNAVAILABLE for a program that must not be started. */
  constructor({ program, opening, secrets, onWords }: LinkParts) {
    this.#secrets = secrets;
    this.#process = startProcess(program, onWords);
    this.#child = this.#process.child;
    // One that is gone is told of by its end, which knows more.
    this.#outbox = new Outbox(this.#child, () => this.#child.kill('SIGKILL'));
    // A start that nobody waits for any more is told to whoever comes next.
    this.#ready.promise.catch(() => {});
    this.#child.on('message', (message: unknown) => this.#hear(message));
    this.#child.once('error', (error) => this.#fail(notStarted(error)));
    this.#child.once('close', (code, signal) => this.#close(code, signal));
    const slow = setTimeout(() => this.#kill(notStarted(undefined)), START_MS).unref();
    void this.ready.finally(() => clearTimeout(slow)).catch(() => {});
    this.#post({ kind: 'open', opening });
  }

  /** Contract: rejects with why it does not serve. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Why it serves no more; absent as long as it does. */
  get fault(): PalyraError | undefined {
    return this.#end;
  }

  /** Resolves with why, when the process is gone. */
  get ended(): Promise<PalyraError> {
    return this.#closed.promise;
  }

  /** Contract: rejects with INVALID_INPUT for a request that is out of bounds, and never else. */
  async run(request: SandboxRequest, watch: RunWatch): Promise<Ending> {
    const told = withinBounds(request);
    const task = new RunTask(request, watch);
    const id = this.#begin(task, request.limits.wallTimeMs + GRACE_MS, {
      kind: 'run',
      request: told,
      hasMoreInput: watch.input !== undefined,
    });
    const cancel = () => this.#post({ kind: 'cancel', id });
    watch.signal.addEventListener('abort', cancel, { once: true });
    if (watch.signal.aborted) cancel();
    try {
      return await task.ended;
    } finally {
      watch.signal.removeEventListener('abort', cancel);
    }
  }

  /** Contract: what is said while it is not heard is forgotten. */
  expect(request: ExpectedRequest): void {
    if (!this.#isReady || this.#overload() !== undefined) return;
    const told = cageWithinBounds(request);
    if (told !== undefined) this.#post({ kind: 'expect', request: told });
  }

  /** Contract: rejects with INVALID_INPUT, too, for a request that is out of bounds. */
  async explain(request: SandboxRequest): Promise<Explanation> {
    const told = withinBounds(request);
    const answer = Promise.withResolvers<Explanation>();
    this.#begin({ kind: 'explain', answer }, EXPLAIN_MS, { kind: 'explain', request: told });
    return await answer.promise;
  }

  async proof(kind: 'prove' | 'verdict', onStep: TellStep = () => {}): Promise<Verdict> {
    const answer = Promise.withResolvers<Verdict>();
    this.#begin({ kind: 'proof', answer, onStep }, PROOF_MS, { kind });
    return await answer.promise;
  }

  async load(): Promise<Pick<SandboxLoad, 'warm' | 'busy'>> {
    const answer = Promise.withResolvers<Pick<SandboxLoad, 'warm' | 'busy'>>();
    this.#begin({ kind: 'load', answer }, EXPLAIN_MS, { kind: 'load' });
    return await answer.promise;
  }

  /** Contract: resolves when the process is gone, at the latest after it was killed. */
  async close(): Promise<void> {
    this.#post({ kind: 'close' });
    this.#fail(new PalyraError('SHUTTING_DOWN', 'the gateway makes no more sandboxes'));
    const late = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_MS);
    await this.#closed.promise;
    clearTimeout(late);
  }

  #begin(task: Task, deadlineMs: number, order: Begun): number {
    this.#lastId += 1;
    const id = this.#lastId;
    const timer = setTimeout(() => this.#kill(hangs()), deadlineMs).unref();
    this.#tasks.set(id, { task, timer });
    const fault = this.#end ?? this.#overload();
    if (fault === undefined) this.#post({ ...order, id });
    else this.#lose(id, fault);
    return id;
  }

  #overload(): PalyraError | undefined {
    const isFull = this.#tasks.size > 2 * MAX_RUNS || this.#outbox.pendingBytes > MAX_PENDING_BYTES;
    if (!isFull) return undefined;
    return new PalyraError('OVERLOADED', 'too much is on its way to the sandboxes');
  }

  #post(order: Order): void {
    if (this.#end !== undefined) return;
    const stdin = order.kind === 'run' ? order.request.stdin.length : 0;
    void this.#outbox.post(order, stdin);
  }

  #hear(message: unknown): void {
    const parsed = EVENT.safeParse(message);
    if (this.#end !== undefined) return;
    if (!parsed.success || !this.#take(parsed.data)) this.#kill(gibberish());
  }

  /** Contract: false for what cannot be said now. */
  #take(event: Event): boolean {
    switch (event.kind) {
      case 'ready':
        this.#isReady = true;
        this.#ready.resolve();
        return true;
      case 'unable':
        this.#fail(toError(event.fault));
        return true;
      case 'secret-wanted':
        void this.#reveal(event.id, event.name);
        return true;
      case 'connection-wanted':
        void this.#mayConnect(event);
        return true;
      case 'input-wanted':
        return this.#feed(event.id);
      case 'output':
      case 'connection':
      case 'ended':
      case 'explained':
      case 'proven':
      case 'tried':
      case 'loaded':
      case 'failed':
        return this.#answer(event, this.#tasks.get(event.id)?.task);
    }
  }

  #answer(event: Answer, task: Task | undefined): boolean {
    if (task?.kind === 'run') return this.#runAnswer(event, task);
    if (event.kind === 'tried' && task?.kind === 'proof') {
      task.onStep(event.step);
      return true;
    }
    if (event.kind === 'explained' && task?.kind === 'explain') {
      task.answer.resolve(event.explanation);
    } else if (event.kind === 'proven' && task?.kind === 'proof') {
      task.answer.resolve(event.verdict);
    } else if (event.kind === 'loaded' && task?.kind === 'load') {
      task.answer.resolve({ warm: event.warm, busy: event.busy });
    } else if (event.kind === 'failed' && task !== undefined) {
      task.answer.reject(toError(event.fault));
    } else return false;
    this.#forget(event.id);
    return true;
  }

  #runAnswer(event: Answer, task: RunTask): boolean {
    if (event.kind === 'output') return task.add(event.stream, event.bytes);
    if (event.kind === 'connection') {
      task.watch.onConnection(event.record);
      return true;
    }
    if (event.kind !== 'ended') return false;
    this.#forget(event.id);
    task.end(event.ending);
    return true;
  }

  /** Contract: false for a run that was given all of its input, or is none. */
  #feed(id: number): boolean {
    const task = this.#tasks.get(id)?.task;
    if (task?.kind !== 'run' || task.watch.input === undefined) return false;
    void task.nextInput().then((bytes) => {
      const piece = bytes === undefined ? {} : { bytes };
      if (this.#tasks.has(id)) this.#post({ kind: 'input', id, ...piece });
    });
    return true;
  }

  /** Only what a command that runs now was promised. */
  async #reveal(id: number, name: string): Promise<void> {
    const isPromised = [...this.#tasks.values()].some(
      ({ task }) => task.kind === 'run' && promises(task.request, name),
    );
    try {
      if (!isPromised) throw new PalyraError('PERMISSION_DENIED', 'nobody was promised it');
      this.#post({ kind: 'secret', id, value: await this.#secrets.reveal(name) });
    } catch {
      // Whatever the reason, the other side hears only that there is none: it is told nothing else.
      this.#post({ kind: 'secret', id });
    }
  }

  /** One that has ended meanwhile reaches nobody any more. */
  async #mayConnect({ id, run, to }: WantedConnection): Promise<void> {
    const task = this.#tasks.get(run)?.task;
    const asked = task?.kind === 'run' ? task.watch.mayConnect(to) : Promise.resolve(false);
    const isAllowed = await asked.catch(() => false);
    this.#post({ kind: 'connection-answer', id, isAllowed });
  }

  #forget(id: number): void {
    clearTimeout(this.#tasks.get(id)?.timer);
    this.#tasks.delete(id);
  }

  #lose(id: number, reason: PalyraError): void {
    const task = this.#tasks.get(id)?.task;
    this.#forget(id);
    if (task?.kind === 'run') task.lose(reason);
    else task?.answer.reject(reason);
  }

  #kill(reason: PalyraError): void {
    this.#fail(reason);
    this.#child.kill('SIGKILL');
  }

  #close(code: number | null, signal: NodeJS.Signals | null): void {
    const how = signal ?? `code ${code}`;
    const cause = new Error(`it ended with ${how}; it said: ${this.#process.said()}`);
    this.#closed.resolve(this.#fail(this.#isReady ? gone(cause) : notStarted(cause)));
  }

  /** Contract: the first reason counts. */
  #fail(reason: PalyraError): PalyraError {
    const end = (this.#end ??= reason);
    this.#ready.reject(end);
    for (const id of this.#tasks.keys()) this.#lose(id, end);
    // One that could not be started may never close.
    if (this.#child.pid === undefined) this.#closed.resolve(end);
    return end;
  }
}

type Begun =
  Extract<
    Order,
    { readonly kind: 'run' | 'explain' | 'prove' | 'verdict' | 'load' }
  > extends infer One
    ? One extends { readonly id: number }
      ? Omit<One, 'id'>
      : never
    : never;
type WantedConnection = Extract<Event, { readonly kind: 'connection-wanted' }>;
type Answer = Exclude<
  Event,
  { readonly kind: 'ready' | 'unable' | 'secret-wanted' | 'input-wanted' | 'connection-wanted' }
>;
function promises({ egress }: SandboxRequest, name: string): boolean {
  return egress.mode === 'strict' && egress.secrets.some((use) => use.name === name);
}
