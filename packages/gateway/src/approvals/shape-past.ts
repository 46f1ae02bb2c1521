import { setImmediate as nextTurn } from 'node:timers/promises';
import { create, fromJson } from '@bufbuild/protobuf';
import { type Clock, JOURNAL_KINDS, type SealedEntry } from '@palyra/kernel';
import {
  type ApprovalRecord,
  DecisionKind,
  type PastCall,
  PastCallSchema,
  type ShapePast,
  ShapePastSchema,
} from '@palyra/protocol';
import type { JournalPort } from '../ports.ts';
import { briefProposal } from './brief-approval.ts';

const SEVEN_DAYS_MS = 7 * 86_400_000;
/** Looked through at most, newest first; what is older is not counted, and the answer says so. */
const MOST_CALLS = 5_000;
const MOST_ENTRIES = 50_000;
const WINDOW = 256;
const MOST_EXAMPLES = 5;

export interface PastParts {
  readonly journal: JournalPort;
  readonly clock: Clock;
}

/** Calls that a grant for this one could have been about. */
export interface Past {
  readonly since: string;
  readonly isCut: boolean;
  /** Newest first. */
  readonly calls: readonly PastCall[];
}

/**
 * Calls of the last seven days of the same tool and the same principal, besides the call itself.
 * Contract: between two windows others get their turn; rejects with the signal's reason.
 */
export async function pastOf(
  { proposal }: ApprovalRecord,
  { journal, clock }: PastParts,
  signal: AbortSignal,
): Promise<Past> {
  const since = new Date(clock.now().getTime() - SEVEN_DAYS_MS).toISOString();
  const search = new Search(
    proposal?.tool ?? '',
    proposal?.principal ?? '',
    proposal?.callId ?? '',
  );
  const { sequence: tip } = journal.tip();
  for (let end = tip; end > 0; end -= WINDOW) {
    const entries = await windowOf(journal, Math.max(end - WINDOW, 0), end);
    for (const entry of entries.toReversed()) {
      if (entry.time < since) return { since, isCut: false, calls: search.calls };
      search.see(entry);
    }
    const isAll = search.calls.length >= MOST_CALLS || tip - end + WINDOW >= MOST_ENTRIES;
    // A window with a gap: what comes before it is archived.
    if (isAll || entries.length < Math.min(WINDOW, end)) return cutAt(entries, search.calls);
    await nextTurn();
    signal.throwIfAborted();
  }
  return { since, isCut: false, calls: search.calls };
}

function cutAt([oldest]: readonly SealedEntry[], calls: readonly PastCall[]): Past {
  return { since: oldest?.time ?? '', isCut: true, calls };
}

/** A page may be shorter than it was asked for, where entries are large. */
async function windowOf(
  journal: JournalPort,
  after: number,
  end: number,
): Promise<readonly SealedEntry[]> {
  const entries: SealedEntry[] = [];
  for (let from = after; from < end;) {
    const page = await journal.page({ after: from, limit: end - from });
    const last = page.at(-1);
    if (last === undefined) return entries;
    entries.push(...page.filter(({ sequence }) => sequence <= end));
    from = last.sequence;
  }
  return entries;
}

/** Reads backwards: what became of a call comes before the call itself. */
class Search {
  readonly calls: PastCall[] = [];
  readonly #tool: string;
  readonly #principal: string;
  readonly #itself: string;
  readonly #decided = new Map<unknown, SealedEntry>();
  readonly #asked = new Set<unknown>();

  constructor(tool: string, principal: string, itself: string) {
    this.#tool = tool;
    this.#principal = principal;
    this.#itself = itself;
  }

  see(entry: SealedEntry): void {
    const { kind, payload } = entry;
    const { callId } = payload;
    if (kind === 'tool.decided') this.#decided.set(callId, entry);
    if (kind === 'approval.asked') this.#asked.add(callId);
    if (kind !== 'tool.proposed') return;
    const { tool, principal } = payload;
    const isSuch = tool === this.#tool && principal === this.#principal;
    if (isSuch && callId !== this.#itself) this.#keep(entry);
    this.#decided.delete(callId);
    this.#asked.delete(callId);
  }

  #keep({ kind, payload, time }: SealedEntry): void {
    if (kind !== 'tool.proposed') return;
    const proposal = fromJson(JOURNAL_KINDS[kind], payload, { ignoreUnknownFields: true });
    this.calls.push(
      create(PastCallSchema, {
        at: time,
        proposal,
        wasAsked: this.#asked.has(proposal.callId),
        decision: decisionOf(this.#decided.get(proposal.callId)),
      }),
    );
  }
}

function decisionOf(entry: SealedEntry | undefined): DecisionKind {
  if (entry?.kind !== 'tool.decided') return DecisionKind.UNSPECIFIED;
  return fromJson(JOURNAL_KINDS[entry.kind], entry.payload, { ignoreUnknownFields: true }).kind;
}

/** What of it a shape would have covered, in numbers and examples. */
export function coveredPast(
  { since, isCut, calls }: Past,
  sessionId: string,
  isCovered: (call: PastCall) => boolean,
): ShapePast {
  const covered = calls.filter(isCovered);
  const amount = (is: (call: PastCall) => boolean) => covered.filter(is).length;
  return create(ShapePastSchema, {
    since,
    isCut,
    covered: covered.length,
    inSession: amount(({ proposal }) => proposal?.sessionId === sessionId),
    asked: amount(({ wasAsked }) => wasAsked),
    denied: amount(({ decision }) => decision === DecisionKind.DENY),
    examples: covered.slice(0, MOST_EXAMPLES).map(brief),
  });
}

function brief(call: PastCall): PastCall {
  const { proposal } = call;
  return proposal === undefined ? call : { ...call, proposal: briefProposal(proposal) };
}
