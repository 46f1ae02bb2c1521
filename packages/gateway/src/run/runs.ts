import { create } from '@bufbuild/protobuf';
import { PalyraError, type RunId, type SealedEntry, type SessionId } from '@palyra/kernel';
import {
  type Run,
  type RunEvent,
  RunResumedSchema,
  type RunStarted,
  RunStartedSchema,
  RunStatus,
  type Session,
} from '@palyra/protocol';
import type { Actor, Caller } from '../identity/caller.ts';
import { chosenModel, sameModel } from '../models/chosen-model.ts';
import type { GatewayParts } from '../parts.ts';
import type { ModelImage, RunQuery, Toucher } from '../ports.ts';
import { publishFrom } from '../tool-call/7-stream.ts';
import { ActiveRun, type Beginning } from './active-run.ts';
import { markInterrupted } from './after-crash.ts';
import { callOff, withdrawAfterEnd, withdrawQuestions } from './call-off.ts';
import { checkImages, keepImages } from './context/images.ts';
import { PastRuns } from './context/past-runs.ts';
import type { JustBegun } from './context/remember.ts';
import { keepNotes } from './context/workspace-notes.ts';
import { expectRun } from './expected-calls.ts';
import { MayTouch } from './may-touch.ts';
import { OneByOne } from './one-by-one.ts';
import { begunRun, checkMayGoOn } from './resumable.ts';
import type { RunParts } from './run-context.ts';
import { eventOf } from './run-event.ts';
import { idOf, sessionOf } from './run-ids.ts';
import { type AskedRun, type RunIdentity, draftOf } from './run-note.ts';
import { placeToResume, placeToStart } from './run-workspace.ts';
import { type Place, SessionLines } from './session-lines.ts';
import { watchRun } from './watch.ts';

export interface StartRun {
  readonly prompt: string;
  /** Absent: a new session. */
  readonly sessionId?: SessionId;
  /** Absent or empty: the default. */
  readonly model?: string;
  readonly images?: readonly ModelImage[];
  /** The folder for a new session; absent or empty: the gateway's own. */
  readonly workspace?: string;
  /** What to do while the session has an active run; absent: it is refused. */
  readonly whenBusy?: 'wait' | 'refuse';
}

export interface WatchRun {
  readonly runId: RunId;
  /** Only journaled events after this sequence; 0 for all. */
  readonly after: number;
}

/** Who asks for a run, and through what. */
export type RunAsker = Actor & Toucher & Pick<Caller, 'through'>;

export interface RunHandle extends RunIdentity {
  events(signal: AbortSignal): AsyncIterable<RunEvent>;
}

/** Runs of a session without a record, the newest, by which it is known whose it is. */
const MOST_LOOKED_AT = 100;

/** Every run that this gateway drives, and the way to those that it once drove. */
export class Runs {
  readonly #parts: RunParts;
  /** Those that go on, and those that wait for the one before them. */
  readonly #active = new Map<RunId, ActiveRun>();
  readonly #waiting = new Set<ActiveRun>();
  readonly #lines = new SessionLines();
  /** For what must not see a run as nobody drives it while another begins to: taking up, calling off. */
  readonly #oneByOne = new OneByOne();
  readonly #mayTouch: MayTouch;
  #draining = false;

  constructor(parts: GatewayParts) {
    this.#parts = { ...parts, pastRuns: new PastRuns(parts.journal) };
    this.#mayTouch = new MayTouch(parts.policy);
    // For as long as the journal is there: whatever is written to a run is heard by whoever watches it.
    publishFrom(parts.journal, (runId) => this.#active.get(runId)?.stream);
  }

  get activeCount(): number {
    return this.#active.size - this.#waiting.size;
  }

  async start(request: StartRun, asker: RunAsker): Promise<RunHandle> {
    this.#checkPrompt(request.prompt);
    checkImages(request.images ?? []);
    const { ids } = this.#parts;
    const model = chosenModel(this.#parts.model, request.model ?? '');
    const { principal, channel, actor } = asker;
    // A page proves no device, and is one's that opened it: what that loses, its runs lose.
    const deviceId = asker.deviceId ?? asker.through?.at(-1) ?? '';
    const behind = { principal, channel, deviceId };
    const sessionId = request.sessionId ?? ids.next<'session'>();
    const { prompt, whenBusy = 'refuse', workspace: named = '' } = request;
    // Before it takes a place in the session: nobody keeps another from their own.
    const session =
      request.sessionId === undefined
        ? undefined
        : await this.#checkSession(request.sessionId, asker);
    const workspace = placeToStart({ named, session }, this.#parts.workspace);
    await this.#mayTouch.open(workspace, asker);
    const run = { runId: ids.next<'run'>(), sessionId, model, workspace, ...behind };
    return await this.#launch(run, whenBusy, async (place) => {
      if (place.isFirst) expectRun({ parts: this.#parts, run });
      const images = [...(await keepImages(request.images ?? [], this.#parts.blobs))];
      const folder = this.#parts.workspace.now(workspace);
      const asked = { prompt, model, images, workspace: folder, ...behind };
      const message = create(RunStartedSchema, asked);
      const opening = place.isFirst
        ? draftOf(run, { kind: 'run.started', actor, message: await this.#withNotes(message) })
        : draftOf(run, { kind: 'run.queued', actor, message });
      const active = this.#activeRun(run, place);
      const beginning = this.#parts.sessions.begin(
        { sessionId, principal, prompt, workspace },
        opening,
      );
      const entries = place.isFirst ? await this.#meanwhile(active, beginning) : await beginning;
      const own = ofRun(run.runId, entries);
      active.stream.begin(own.map(eventOf));
      const begun: JustBegun = {
        entries: own,
        session: request.sessionId === undefined ? 'made-for-it' : 'older',
      };
      if (place.isFirst) this.#drive(active, async () => begun);
      else this.#driveLater(active, place, { message, actor });
    });
  }

  /**
   * Goes on where the journal ends, if the run was cut off or its model failed; no completed model
   * turn or tool call is made again. One that was still waiting begins. Without a place whose turn
   * has come it takes one, if its session has no active run.
   */
  async resume(runId: RunId, asker: Actor & Toucher, own?: Place): Promise<RunHandle> {
    const asked = await this.#find(runId);
    await this.#mayTouch.check(asked, 'work.speak', asker);
    const identity = { runId, sessionId: sessionOf(asked) };
    await this.#checkSession(identity.sessionId, asker);
    return await this.#launch(identity, own ?? 'refuse', async (place) => {
      await this.#oneByOne.of(runId, () => this.#takeUp(identity, place, asker));
    });
  }

  /** A place in the line of a session, for whoever leaves it or resumes a run in it. */
  enter(sessionId: SessionId, whenBusy: 'wait' | 'refuse'): Place {
    const { max_active: busy, max_queued: waiting } = this.#parts.settings;
    return this.#lines.enter(sessionId, whenBusy, { busy, waiting });
  }

  /** A run in the session is active, or waits. */
  isBusy(sessionId: SessionId): boolean {
    return this.#lines.isBusy(sessionId);
  }

  /** One that was cut off ends, too. Contract: resolves when the end is on record. */
  async cancel(runId: RunId, caller: Actor & Toucher): Promise<Run> {
    await this.#mayTouch.check(await this.#find(runId), 'work.stop', caller);
    const active = await this.#oneByOne.of(runId, async () => {
      const driven = this.#active.get(runId);
      if (driven === undefined) await callOff(await this.#find(runId), caller.actor, this.#parts);
      driven?.cancel(caller.actor);
      return driven;
    });
    await active?.done;
    const run = await this.#find(runId);
    if (run.status === RunStatus.CANCELLED) {
      await withdrawQuestions(runId, 'the run was cancelled', this.#parts);
    }
    return run;
  }

  async get(runId: RunId, caller: Toucher): Promise<Run> {
    const run = await this.#find(runId);
    await this.#mayTouch.check(run, 'work.see', caller);
    return run;
  }

  /** Those that the caller sees. */
  async list(query: Omit<RunQuery, 'principal'>, caller: Toucher): Promise<readonly Run[]> {
    const { runs } = this.#parts;
    return await this.#mayTouch.list(query.limit, caller, async ({ after, ...part }) =>
      after === undefined
        ? await runs.list({ ...query, ...part })
        : await runs.list({ ...query, ...part, before: idOf(after) }),
    );
  }

  /** Journaled events after the sequence, then live ones until the run ends, or other rules say no. */
  async *watch(
    { runId, after }: WatchRun,
    caller: Toucher,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent> {
    const { policyDesk } = this.#parts;
    let rules = policyDesk.revision();
    await this.get(runId, caller);
    for await (const event of this.#events({ runId, after }, signal)) {
      if (rules !== policyDesk.revision()) {
        rules = policyDesk.revision();
        await this.get(runId, caller);
      }
      yield event;
    }
  }

  /** Marks the runs that a crash left without an end. Called once, before the first request. */
  async recover(): Promise<void> {
    await markInterrupted(this.#parts, (runId) => this.#active.has(runId));
  }

  /**
   * No new runs, and none that waits begins; active ones may end by themselves within the grace
   * period, then are interrupted. One that only waits for people is so at once.
   */
  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    for (const waiting of this.#waiting) waiting.interrupt();
    for (const active of this.#active.values()) active.interruptAtRest();
    const ends = Promise.all(Array.from(this.#active.values(), (active) => active.done));
    const grace = new AbortController();
    const patience = this.#parts.clock.sleep(graceMs, grace.signal).catch(() => undefined);
    await Promise.race([ends, patience]);
    grace.abort();
    for (const active of this.#active.values()) active.interrupt();
    await ends;
  }

  /** Contract: takes its place before anything is awaited; whatever fails gives it back. */
  async #launch(
    { runId, sessionId }: RunIdentity,
    where: 'wait' | 'refuse' | Place,
    open: (place: Place) => Promise<void>,
  ): Promise<RunHandle> {
    if (this.#draining) throw new PalyraError('SHUTTING_DOWN', 'the daemon is stopping');
    const place = typeof where === 'string' ? this.enter(sessionId, where) : where;
    try {
      await open(place);
    } catch (reason) {
      place.leave();
      throw reason;
    }
    return { runId, sessionId, events: (signal) => this.#events({ runId, after: 0 }, signal) };
  }

  async #takeUp(identity: RunIdentity, place: Place, asker: Actor & Toucher): Promise<void> {
    const { runId, sessionId } = identity;
    const { actor } = asker;
    // Read again, now that the session is claimed: somebody may have been faster.
    checkMayGoOn(await this.#find(runId));
    const { message, turns } = await begunRun(runId, this.#parts.journal);
    const workspace = placeToResume(runId, message.workspace, this.#parts.workspace);
    await this.#mayTouch.open(workspace, asker);
    const { principal, channel, deviceId } = message;
    const model = sameModel(this.#parts.model, message.model);
    const run = { ...identity, principal, channel, deviceId, model, workspace };
    const opening =
      turns === undefined
        ? draftOf(run, { kind: 'run.started', actor, message: await this.#withNotes(message) })
        : draftOf(run, {
            kind: 'run.resumed',
            actor,
            message: create(RunResumedSchema, { turns }),
          });
    const active = this.#activeRun(run, place);
    const begun = { sessionId, principal, prompt: message.prompt, workspace };
    await this.#parts.sessions.begin(begun, opening);
    this.#drive(active, async () => undefined);
    void active.done.then(() => withdrawAfterEnd(runId, this.#parts));
  }

  async #find(runId: RunId): Promise<Run> {
    const run = await this.#parts.runs.get(runId);
    if (run === undefined) throw new PalyraError('NOT_FOUND', `there is no run \`${runId}\``);
    return run;
  }

  #events({ runId, after }: WatchRun, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const live = this.#active.get(runId)?.stream;
    return watchRun({ runId, after, live, journal: this.#parts.journal }, signal);
  }

  #activeRun(run: AskedRun, place: Place): ActiveRun {
    const active = new ActiveRun(run, this.#parts, () => {
      this.#active.delete(run.runId);
      this.#waiting.delete(active);
      place.leave();
    });
    return active;
  }

  /** What the run needs first is reserved while its beginning is recorded, in the same commit. */
  async #meanwhile<Entries>(active: ActiveRun, beginning: Promise<Entries>): Promise<Entries> {
    active.takeAhead();
    try {
      return await beginning;
    } catch (reason) {
      await active.giveBack();
      throw reason;
    }
  }

  /** Known before it is driven: whatever ends it makes it unknown again. */
  #drive(active: ActiveRun, begin: Beginning): void {
    this.#active.set(active.run.runId, active);
    active.drive(begin);
  }

  /** Begins when its turn has come. */
  #driveLater(active: ActiveRun, place: Place, { message, actor }: QueuedStart): void {
    this.#waiting.add(active);
    if (this.#draining) active.interrupt();
    this.#drive(active, async (signal) => {
      await untilTurn(place, signal);
      this.#waiting.delete(active);
      const started = await this.#withNotes(message);
      const opening = draftOf(active.run, { kind: 'run.started', actor, message: started });
      active.takeAhead();
      // It may have come to wait while its session was being archived; then it is refused here.
      await this.#parts.sessions.begin({ ...active.run, prompt: message.prompt }, opening);
      return undefined;
    });
  }

  /** Read anew for each run, and kept as it was. */
  async #withNotes(message: RunStarted): Promise<RunStarted> {
    const path = message.workspace?.path ?? '';
    return { ...message, workspaceNotesSha256: await keepNotes(path, this.#parts) };
  }

  /** A session of before there were records of them is known by its runs, and theirs whose all are. */
  async #checkSession(sessionId: SessionId, asker: Toucher): Promise<Session | undefined> {
    const { sessions, runs } = this.#parts;
    const session = await sessions.find(sessionId);
    if (session !== undefined) {
      await this.#mayTouch.check(session, 'work.speak', asker);
      return session;
    }
    const known = await runs.list({ sessionId, limit: MOST_LOOKED_AT });
    for (const principal of new Set(known.map((run) => run.principal))) {
      await this.#mayTouch.check({ sessionId, principal }, 'work.speak', asker);
    }
    if (known.length > 0) return undefined;
    throw new PalyraError('NOT_FOUND', `there is no session \`${sessionId}\``, {
      help: '`palyra sessions list` shows those that there are',
    });
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

interface QueuedStart {
  readonly message: RunStarted;
  readonly actor: string;
}

/** Without what was recorded of its session in the same commit. */
function ofRun(runId: RunId, entries: readonly SealedEntry[]): readonly SealedEntry[] {
  return entries.filter((entry) => entry.runId === runId);
}

/** Contract: throws the signal's reason when that comes first. */
async function untilTurn({ turn }: Place, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([turn, aborted]);
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
