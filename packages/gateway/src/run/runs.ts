import { create } from '@bufbuild/protobuf';
import { type EntryDraft, PalyraError, type RunId, type SessionId, parseId } from '@palyra/kernel';
import {
  type Run,
  type RunEvent,
  RunResumedSchema,
  type RunStarted,
  RunStartedSchema,
  RunStatus,
} from '@palyra/protocol';
import type { Actor, Caller } from '../identity/caller.ts';
import type { GatewayParts } from '../parts.ts';
import type { RunQuery } from '../ports.ts';
import { record } from '../tool-call/6-journal.ts';
import { publish } from '../tool-call/7-stream.ts';
import { ActiveRun, interrupted } from './active-run.ts';
import { type Recollection, recollect, startOf } from './conversation.ts';
import { type AskedRun, type RunIdentity, draftOf } from './run-note.ts';
import { entriesOfRun, watchRun } from './watch.ts';

export interface StartRun {
  readonly prompt: string;
  /** Absent: a new session. */
  readonly sessionId?: SessionId;
}

/** Who asks for a run, and through what. */
export type RunAsker = Actor & Pick<Caller, 'channel' | 'deviceId' | 'through'>;

export interface RunHandle extends RunIdentity {
  events(signal: AbortSignal): AsyncIterable<RunEvent>;
}

/** Every run that this gateway drives, and the way to those that it once drove. */
export class Runs {
  readonly #parts: GatewayParts;
  readonly #active = new Map<RunId, ActiveRun>();
  readonly #busySessions = new Set<SessionId>();
  #draining = false;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  get activeCount(): number {
    return this.#active.size;
  }

  async start(request: StartRun, asker: RunAsker): Promise<RunHandle> {
    this.#checkPrompt(request.prompt);
    const { ids, model } = this.#parts;
    const { principal, channel } = asker;
    // A page proves no device, and is one's that opened it: what that loses, its runs lose.
    const deviceId = asker.deviceId ?? asker.through?.at(-1) ?? '';
    const behind = { principal, channel, deviceId };
    const sessionId = request.sessionId ?? ids.next<'session'>();
    const run = { runId: ids.next<'run'>(), sessionId, ...behind };
    const message = create(RunStartedSchema, {
      prompt: request.prompt,
      model: model.name,
      ...behind,
    });
    const opening = draftOf(run, { kind: 'run.started', actor: asker.actor, message });
    return await this.#launch(run, async () => ({ run, past: beginWith(request.prompt), opening }));
  }

  /** Goes on where the journal ends; no completed model turn or tool call is made again. */
  async resume(runId: RunId, actor: Actor): Promise<RunHandle> {
    const known = await this.get(runId);
    const identity = { runId, sessionId: sessionOf(known) };
    return await this.#launch(identity, async () => {
      // Read again, now that the session is claimed: somebody may have been faster.
      const { status } = await this.get(runId);
      if (status !== RunStatus.INTERRUPTED) {
        throw new PalyraError('RUN_NOT_RESUMABLE', `run \`${runId}\` was not interrupted`);
      }
      const { past, started } = await this.#recollect(runId);
      const { principal, channel, deviceId } = started;
      const message = create(RunResumedSchema, { turns: past.modelTurns });
      const opening = draftOf(identity, { kind: 'run.resumed', actor: actor.actor, message });
      return { run: { ...identity, principal, channel, deviceId }, past, opening };
    });
  }

  /** Contract: resolves when the end is on record. */
  async cancel(runId: RunId, actor: Actor): Promise<Run> {
    const active = this.#active.get(runId);
    if (active === undefined) {
      await this.get(runId);
      throw new PalyraError('RUN_NOT_ACTIVE', `run \`${runId}\` has ended already`);
    }
    active.cancel(actor.actor);
    await active.done;
    return await this.get(runId);
  }

  async get(runId: RunId): Promise<Run> {
    const run = await this.#parts.runs.get(runId);
    if (run === undefined) throw new PalyraError('NOT_FOUND', `there is no run \`${runId}\``);
    return run;
  }

  async list(query: RunQuery): Promise<readonly Run[]> {
    return await this.#parts.runs.list(query);
  }

  /** Journaled events after the sequence, then live ones until the run ends. */
  async *watch(runId: RunId, after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const live = this.#active.get(runId)?.stream;
    if (live === undefined) await this.get(runId);
    yield* watchRun({ runId, after, live, journal: this.#parts.journal }, signal);
  }

  /** Marks the runs that a crash left without an end. Called once, before the first request. */
  async recover(): Promise<void> {
    for (const run of await this.#parts.runs.active()) {
      const runId = parseId<'run'>(run.runId);
      if (runId === undefined || this.#active.has(runId)) continue;
      const identity = { runId, sessionId: sessionOf(run) };
      const reason = 'the daemon ended before the run did';
      await this.#parts.journal.append([interrupted(identity, reason)]);
      this.#parts.log.warn('run marked as interrupted', { runId });
    }
  }

  /** No new runs; active ones may end by themselves within the grace period, then are interrupted. */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    const ends = Promise.all(Array.from(this.#active.values(), (active) => active.done));
    const grace = new AbortController();
    const patience = this.#parts.clock.sleep(graceMs, grace.signal).catch(() => undefined);
    await Promise.race([ends, patience]);
    grace.abort();
    for (const active of this.#active.values()) active.interrupt();
    await ends;
  }

  /** Contract: refuses when the journal no longer tells the whole run: calls could be repeated. */
  async #recollect(
    runId: RunId,
  ): Promise<{ readonly past: Recollection; readonly started: RunStarted }> {
    const entries = await Array.fromAsync(entriesOfRun(runId, 0, this.#parts.journal));
    const [first] = entries;
    if (first?.kind === 'run.started') {
      return { past: recollect(entries), started: startOf(first) };
    }
    throw new PalyraError('RUN_NOT_RESUMABLE', `the beginning of run \`${runId}\` was archived`, {
      help: 'start a new run; the archive still tells what this one did',
    });
  }

  /** Contract: claims the session before anything is awaited; whatever fails gives it back. */
  async #launch(identity: RunIdentity, prepare: () => Promise<Launch>): Promise<RunHandle> {
    this.#claim(identity);
    const { runId, sessionId } = identity;
    try {
      const { run, past, opening } = await prepare();
      const active = new ActiveRun(run, this.#parts, () => this.#release(identity));
      publish(await record([opening], this.#parts.journal), active.stream);
      this.#active.set(runId, active);
      active.drive(past);
    } catch (reason) {
      this.#release(identity);
      throw reason;
    }
    return { runId, sessionId, events: (signal) => this.watch(runId, 0, signal) };
  }

  /** One active run a session. */
  #claim({ sessionId }: RunIdentity): void {
    const { max_active: limit } = this.#parts.settings;
    if (this.#draining) throw new PalyraError('SHUTTING_DOWN', 'the daemon is stopping');
    if (this.#busySessions.has(sessionId)) {
      throw new PalyraError('SESSION_BUSY', `session \`${sessionId}\` already has an active run`);
    }
    if (this.#busySessions.size >= limit) {
      throw new PalyraError('OVERLOADED', `${limit} runs are active already`);
    }
    this.#busySessions.add(sessionId);
  }

  #release({ runId, sessionId }: RunIdentity): void {
    this.#active.delete(runId);
    this.#busySessions.delete(sessionId);
  }

  #checkPrompt(prompt: string): void {
    const { max_prompt_bytes: limit } = this.#parts.settings;
    if (prompt.trim() === '') throw new PalyraError('INVALID_INPUT', 'the prompt is empty');
    if (!prompt.isWellFormed()) throw new PalyraError('INVALID_INPUT', 'the prompt is not unicode');
    if (Buffer.byteLength(prompt) > limit) {
      throw new PalyraError('INVALID_INPUT', `the prompt is longer than ${limit} bytes`);
    }
  }
}

interface Launch {
  readonly run: AskedRun;
  readonly past: Recollection;
  /** The entry that makes the run real. */
  readonly opening: EntryDraft;
}

function beginWith(prompt: string): Recollection {
  return { turns: [{ role: 'user', text: prompt }], modelTurns: 0, toolCalls: 0, open: [] };
}

function sessionOf(run: Run): SessionId {
  const sessionId = parseId<'session'>(run.sessionId);
  if (sessionId === undefined) {
    throw new PalyraError('JOURNAL_CORRUPT', `run \`${run.runId}\` has no valid session`);
  }
  return sessionId;
}
