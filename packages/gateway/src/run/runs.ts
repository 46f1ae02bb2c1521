import { create } from '@bufbuild/protobuf';
import { type EntryDraft, PalyraError, type RunId, type SessionId, parseId } from '@palyra/kernel';
import {
  type Run,
  type RunEvent,
  RunResumedSchema,
  RunStartedSchema,
  RunStatus,
} from '@palyra/protocol';
import type { Actor } from '../identity/caller.ts';
import type { GatewayParts } from '../parts.ts';
import type { RunQuery } from '../ports.ts';
import { record } from '../tool-call/6-journal.ts';
import { publish } from '../tool-call/7-stream.ts';
import { ActiveRun, interrupted } from './active-run.ts';
import { type Recollection, recollect } from './conversation.ts';
import { type PrincipalRun, type RunIdentity, draftOf } from './run-note.ts';
import { entriesOfRun, watchRun } from './watch.ts';

export interface StartRun {
  readonly prompt: string;
  /** Absent: a new session. */
  readonly sessionId?: SessionId;
}

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

  async start(request: StartRun, actor: Actor): Promise<RunHandle> {
    this.#checkPrompt(request.prompt);
    const { ids, model } = this.#parts;
    const { principal } = actor;
    const sessionId = request.sessionId ?? ids.next<'session'>();
    const run = { runId: ids.next<'run'>(), sessionId, principal };
    const message = create(RunStartedSchema, {
      prompt: request.prompt,
      model: model.name,
      principal,
    });
    const opening = draftOf(run, { kind: 'run.started', actor: actor.actor, message });
    return await this.#launch(run, async () => ({ past: beginWith(request.prompt), opening }));
  }

  /** Goes on where the journal ends; no completed model turn or tool call is made again. */
  async resume(runId: RunId, actor: Actor): Promise<RunHandle> {
    const known = await this.get(runId);
    const run = { runId, sessionId: sessionOf(known), principal: known.principal };
    return await this.#launch(run, async () => {
      // Read again, now that the session is claimed: somebody may have been faster.
      const { status } = await this.get(runId);
      if (status !== RunStatus.INTERRUPTED) {
        throw new PalyraError('RUN_NOT_RESUMABLE', `run \`${runId}\` was not interrupted`);
      }
      const past = await this.#recollect(runId);
      const message = create(RunResumedSchema, { turns: past.modelTurns });
      const opening = draftOf(run, { kind: 'run.resumed', actor: actor.actor, message });
      return { past, opening };
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
  async #recollect(runId: RunId): Promise<Recollection> {
    const entries = await Array.fromAsync(entriesOfRun(runId, 0, this.#parts.journal));
    if (entries[0]?.kind === 'run.started') return recollect(entries);
    throw new PalyraError('RUN_NOT_RESUMABLE', `the beginning of run \`${runId}\` was archived`, {
      help: 'start a new run; the archive still tells what this one did',
    });
  }

  /** Contract: claims the session before anything is awaited; whatever fails gives it back. */
  async #launch(run: PrincipalRun, prepare: () => Promise<Launch>): Promise<RunHandle> {
    this.#claim(run);
    const { runId, sessionId } = run;
    try {
      const { past, opening } = await prepare();
      const active = new ActiveRun(run, this.#parts, () => this.#release(run));
      publish(await record([opening], this.#parts.journal), active.stream);
      this.#active.set(runId, active);
      active.drive(past);
    } catch (reason) {
      this.#release(run);
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
