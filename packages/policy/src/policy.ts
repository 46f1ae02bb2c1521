import { type Clock, type Log, redact } from '@palyra/kernel';
import type { BacktestProgress, Permission, PolicyCandidate } from '@palyra/protocol';
import type { CaseTool } from './cases/case-request.ts';
import type { ConnectionAsked, PolicyCaller, ProvenCaller } from './desk/authoriser.ts';
import type { Asking, Desk } from './desk/desk.ts';
import type { Judgement } from './desk/judge.ts';
import type { OpenPolicy } from './desk/open-policy.ts';
import type { JournalPart } from './desk/refusals.ts';
import type { Shadow, StartedShadow } from './desk/shadow.ts';
import type { TrialDesk } from './desk/trial-desk.ts';
import type { Mode } from './model.ts';
import type { RecordsPort } from '@palyra/records';
import type { ApprovalGiven } from './request/approval.ts';
import type { CallToJudge } from './request/call-request.ts';
import type { Matter } from './request/matter.ts';
import type { OwnPlaces } from './request/own-ground.ts';
import type { PolicyDirs } from './sets/read-layers.ts';

export interface PolicyParts {
  readonly records: RecordsPort;
  readonly journal: JournalPart;
  readonly clock: Clock;
  readonly log: Log;
  readonly mode: Mode;
  /** Where the layers are read from, beside those that come with the gateway. */
  readonly dirs: PolicyDirs;
  /** Real folders: no link on the way to any of them, or both spellings named. */
  readonly own: OwnPlaces;
  /** Every tool that a rule may name. */
  readonly tools: readonly PolicyTool[];
}

export interface PolicyTool extends CaseTool {
  readonly name: string;
}

/** Entries of the journal that lie next to one another. */
export interface JournalPage {
  readonly entries: number;
  readonly decisions: readonly { readonly id: string; readonly canonical: Uint8Array }[];
}

export interface JournalDecisions {
  readonly total: number;
  read(signal: AbortSignal): AsyncIterable<JournalPage>;
}

/** The files of the machine's administrator: root's, or they are refused. */
export const ADMIN_POLICIES = '/etc/palyra/policies';

export interface Policy extends AsyncDisposable {
  /**
   * Reads the layers and puts a set in force. Contract: whoever asks something first does so too,
   * and waits for it; may be called any number of times.
   */
  start(): Promise<void>;
  judge(call: CallToJudge, approval?: ApprovalGiven): Promise<Judgement>;
  /** Contract: of this and of `touch`, a refusal is in the journal before it is told. */
  authorise(caller: ProvenCaller, permission: Permission | undefined): Promise<void>;
  /** Journals that the doors refused it for want of a permission. Contract: never rejects. */
  turnAway(caller: ProvenCaller, permission: Permission, reason: string): Promise<void>;
  /** The same about runs and sessions of somebody, or about somebody. */
  touch(caller: ProvenCaller, matter: Matter): Promise<void>;
  /** As a question, which refuses nobody anything. */
  mayTouch(caller: PolicyCaller, matter: Matter): Promise<boolean>;
  /** Whether a call that is under way may connect somewhere. Contract: as `touch`, and a no is an answer. */
  mayConnect(connection: ConnectionAsked): Promise<boolean>;
  readonly desk: PolicyDesk;
}

export interface PolicyDesk
  extends
    Pick<
      Desk,
      | 'health'
      | 'show'
      | 'explain'
      | 'foresee'
      | 'foreseeAct'
      | 'compare'
      | 'rehearse'
      | 'reload'
      | 'apply'
    >,
    Pick<TrialDesk, 'check' | 'test'> {
  revision(): number;
  backtest(
    candidate: PolicyCandidate,
    journal: JournalDecisions,
    asking: Asking,
  ): AsyncIterable<BacktestProgress>;
  startShadow(candidate: PolicyCandidate, actor: string): Promise<StartedShadow>;
  stopShadow(actor: string): Promise<Shadow>;
  shadow(): Promise<Shadow | undefined>;
}

/**
 * Every decision in the daemon. Nothing is loaded or read before somebody asks, so that a start
 * waits for none of it; whatever is asked meanwhile waits.
 */
export function createPolicy(parts: PolicyParts): Policy {
  const opening = new Opening(parts);
  const authoriser = async () => (opening.now ?? (await opening.opened())).authoriser;
  return {
    start: async () => void (await opening.opened()),
    judge: async (call, approval) => (await opening.opened()).judge(call, approval),
    authorise: async (caller, permission) => (await authoriser()).authorise(caller, permission),
    turnAway: async (...refused) => {
      try {
        await (await authoriser()).turnAway(...refused);
      } catch (reason) {
        parts.log.error('a refusal could not be journaled', { error: redact(reason) });
      }
    },
    touch: async (caller, matter) => (await authoriser()).touch(caller, matter),
    mayTouch: async (caller, matter) => (await authoriser()).mayTouch(caller, matter),
    mayConnect: async (connection) => (await authoriser()).mayConnect(connection),
    desk: deskOf(opening),
    [Symbol.asyncDispose]: () => opening.close(),
  };
}

/** Opened by whoever asks first, once; a failure is theirs, and the next one tries again. */
class Opening {
  readonly #parts: PolicyParts;
  #opened: Promise<OpenPolicy> | undefined;
  now: OpenPolicy | undefined;

  constructor(parts: PolicyParts) {
    this.#parts = parts;
  }

  opened(): Promise<OpenPolicy> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async close(): Promise<void> {
    const open = await this.#opened?.catch(() => undefined);
    await open?.[Symbol.asyncDispose]();
  }

  async #open(): Promise<OpenPolicy> {
    try {
      const { openPolicy } = await import('./desk/open-policy.ts');
      this.now = await openPolicy(this.#parts);
      return this.now;
    } catch (reason) {
      this.#opened = undefined;
      throw reason;
    }
  }
}

function deskOf(opening: Opening): PolicyDesk {
  const desk = async () => (await opening.opened()).desk;
  return {
    // Both are asked in passing, by whoever has just been let in by the rules.
    revision: () => opening.now?.sets.revision() ?? 0,
    health: () => opening.now?.desk.health() ?? NOTHING_YET,
    show: async (setHash) => (await desk()).show(setHash),
    explain: async (decision) => (await desk()).explain(decision),
    foresee: async (call, facts, connection) => (await desk()).foresee(call, facts, connection),
    foreseeAct: async (act, facts) => (await desk()).foreseeAct(act, facts),
    check: async (candidate, asking) => (await opening.opened()).trials.check(candidate, asking),
    test: async (trial, asking) => (await opening.opened()).trials.test(trial, asking),
    compare: async (old, candidate, asking) => (await desk()).compare(old, candidate, asking),
    rehearse: async (candidate, asking) => (await desk()).rehearse(candidate, asking),
    async *backtest(candidate, journal, asking) {
      yield* (await opening.opened()).backtest({ candidate, journal }, asking);
    },
    reload: async (actor) => (await desk()).reload(actor),
    apply: async (change, actor) => (await desk()).apply(change, actor),
    startShadow: async (candidate, actor) => {
      const { shadows, desk: open } = await opening.opened();
      return await shadows.start(await open.setOf(candidate), actor);
    },
    stopShadow: async (actor) => (await opening.opened()).shadows.stop(actor),
    shadow: async () => (await opening.opened()).shadows.get(),
  };
}

/** While nothing is in force nothing is allowed. */
const NOTHING_YET = { mode: 'closed', policySetHash: '', rules: 0, problems: [] } as const;
