import { PalyraError } from '@palyra/kernel';
import type { Ending } from '../model.ts';
import type { StepVerdict } from '../proof/verdict.ts';
import { MAX_RUNS } from './bounds.ts';
import { type Event, ORDER, type Opening, type Order, type ToldFault } from './messages.ts';
import { InputStream } from './input-stream.ts';
import { Outbox, type Sender } from './outbox.ts';
import { OutputStream } from './output-stream.ts';
import { Questions } from './questions.ts';
import type { Connecting, Sandboxes, SecretPort } from './sandboxes.ts';
import { secretDesk } from './secret-desk.ts';

/** The channel to whoever started this process. */
export interface ParentChannel extends Sender {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

export interface ServerParts {
  readonly channel: ParentChannel;
  /** Contract: rejects when nothing at all can be served; one tier that cannot be made is no reason. */
  readonly open: (opening: Opening, secrets: SecretPort) => Promise<Sandboxes>;
}

/** Until everything has ended after a farewell, and after none: then the daemon is dead. */
const FAREWELL_MS = 2_500;
const ABANDONED_MS = 70;

/** Contract: resolves when there is nobody left to serve; whoever calls it then ends the process. */
export async function serveSandboxes(parts: ServerParts): Promise<void> {
  const server = new Server(parts);
  const graceMs = await server.left;
  await Promise.race([server.end(), pause(graceMs)]);
}

class Server {
  readonly #open: ServerParts['open'];
  readonly #outbox: Outbox;
  readonly #secrets: Questions<string, string>;
  readonly #connections: Questions<Wanted, boolean>;
  readonly #left = Promise.withResolvers<number>();
  readonly #runs = new Map<number, Run>();
  readonly #working = new Set<Promise<void>>();
  #sandboxes: Promise<Sandboxes> | undefined;

  constructor({ channel, open }: ServerParts) {
    this.#open = open;
    this.#outbox = new Outbox(channel, () => this.#left.resolve(ABANDONED_MS));
    this.#secrets = new Questions((id, name) => this.#post({ kind: 'secret-wanted', id, name }));
    this.#connections = new Questions((id, { run, to }) => {
      const wanted = { ...to, addresses: [...to.addresses] };
      this.#post({ kind: 'connection-wanted', id, run, to: wanted });
    });
    channel.on('message', (message) => this.#hear(message));
    channel.on('disconnect', () => this.#left.resolve(ABANDONED_MS));
  }

  /** How long may be waited for the end. */
  get left(): Promise<number> {
    return this.#left.promise;
  }

  async end(): Promise<void> {
    for (const { cancel } of this.#runs.values()) cancel.abort();
    this.#secrets.close();
    this.#connections.close();
    await Promise.allSettled(this.#working);
    const sandboxes = await this.#sandboxes?.catch(() => undefined);
    await sandboxes?.[Symbol.asyncDispose]();
  }

  /** Whoever says something else is no daemon of ours: nothing goes on in doubt. */
  #hear(message: unknown): void {
    const parsed = ORDER.safeParse(message);
    if (!parsed.success || !this.#take(parsed.data)) this.#left.resolve(ABANDONED_MS);
  }

  /** Contract: false for what cannot be asked now. */
  #take(order: Order): boolean {
    if (order.kind === 'open') return this.#begin(order.opening);
    if (order.kind === 'close') {
      this.#left.resolve(FAREWELL_MS);
      return true;
    }
    const sandboxes = this.#sandboxes;
    if (sandboxes === undefined) return false;
    switch (order.kind) {
      case 'run':
        if (this.#runs.size >= MAX_RUNS || this.#runs.has(order.id)) return false;
        this.#work(this.#run(sandboxes, order));
        return true;
      case 'expect':
        void sandboxes.then(
          (open) => open.expect(order.request),
          () => {},
        );
        return true;
      case 'cancel':
        this.#runs.get(order.id)?.cancel.abort();
        return true;
      case 'input':
        this.#runs.get(order.id)?.input?.take(order.bytes);
        return true;
      case 'secret':
        return this.#secrets.take(order.id, order.value);
      case 'connection-answer':
        return this.#connections.take(order.id, order.isAllowed);
      case 'explain':
      case 'prove':
      case 'verdict':
      case 'load':
        this.#work(this.#answer(sandboxes, order));
        return true;
    }
  }

  #begin(opening: Opening): boolean {
    if (this.#sandboxes !== undefined) return false;
    this.#sandboxes = this.#open(opening, secretDesk(this.#secrets));
    this.#sandboxes.then(
      () => this.#post({ kind: 'ready' }),
      async (reason: unknown) => {
        await this.#outbox.post({ kind: 'unable', fault: toldFault(reason) });
        this.#left.resolve(0);
      },
    );
    return true;
  }

  #work(work: Promise<void>): void {
    this.#working.add(work);
    void work.finally(() => this.#working.delete(work)).catch(() => {});
  }

  async #run(opening: Promise<Sandboxes>, { id, request, hasMoreInput }: RunOrder): Promise<void> {
    const cancel = new AbortController();
    using input = hasMoreInput
      ? new InputStream(() => this.#post({ kind: 'input-wanted', id }))
      : undefined;
    this.#runs.set(id, { cancel, input });
    const output = new OutputStream(this.#outbox, id);
    const sandboxes = await opening;
    const ending = await sandboxes.run(request, {
      signal: cancel.signal,
      ...(input !== undefined && { input }),
      onOutput: (stream, bytes) => output.add(stream, bytes),
      onConnection: (record) => this.#post({ kind: 'connection', id, record }),
      mayConnect: async (to) => (await this.#connections.ask({ run: id, to })) ?? false,
    });
    await output.finish(ending);
    // Before it is told: whoever hears of it may send the next at once.
    this.#runs.delete(id);
    this.#post({ kind: 'ended', id, ending: told(ending) });
  }

  async #answer(opening: Promise<Sandboxes>, order: Question): Promise<void> {
    const { id } = order;
    try {
      const sandboxes = await opening;
      if (order.kind === 'explain') {
        const { options, guarded, hosts, weaknesses, ...rest } = await sandboxes.explain(
          order.request,
        );
        const lists = { options: [...options], guarded: [...guarded], hosts: [...hosts] };
        const explanation = { ...rest, ...lists, weaknesses: [...weaknesses] };
        this.#post({ kind: 'explained', id, explanation });
      } else if (order.kind === 'load') {
        const { warm, busy } = await sandboxes.load();
        this.#post({ kind: 'loaded', id, warm, busy });
      } else {
        const tell = (step: StepVerdict) => this.#post({ kind: 'tried', id, step });
        const proof = order.kind === 'prove' ? sandboxes.prove(tell) : sandboxes.verdict();
        this.#post({ kind: 'proven', id, verdict: await proof });
      }
    } catch (reason) {
      this.#post({ kind: 'failed', id, fault: toldFault(reason) });
    }
  }

  #post(event: Event): void {
    void this.#outbox.post(event);
  }
}

interface Run {
  readonly cancel: AbortController;
  /** Absent when all of it came with the order. */
  readonly input: InputStream | undefined;
}

/** A connection that the command of a run asks for. */
interface Wanted {
  readonly run: number;
  readonly to: Connecting;
}

type RunOrder = Extract<Order, { readonly kind: 'run' }>;
type Question = Extract<Order, { readonly kind: 'explain' | 'prove' | 'verdict' | 'load' }>;
type ToldEnding = Extract<Event, { readonly kind: 'ended' }>['ending'];

function told({ stdout: _out, stderr: _err, ...ending }: Ending): ToldEnding {
  const { passedOver, ...posture } = ending.posture;
  return {
    ...ending,
    posture: {
      ...posture,
      namespaces: [...posture.namespaces],
      hosts: [...posture.hosts],
      weaknesses: [...posture.weaknesses],
      ...(passedOver && { passedOver: [...passedOver] }),
    },
  };
}

function toldFault(reason: unknown): ToldFault {
  const { code, message, help } = PalyraError.from(reason);
  return { code, reason: message, help };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
