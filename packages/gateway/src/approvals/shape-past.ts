import { create, fromJson } from '@bufbuild/protobuf';
import { type Clock, JOURNAL_KINDS, type SealedEntry, decodeEntry } from '@palyra/kernel';
import {
  type ApprovalRecord,
  DecisionKind,
  type PastCall,
  PastCallSchema,
  type ShapePast,
  ShapePastSchema,
} from '@palyra/protocol';
import type { EntriesPage, JournalPort } from '../ports.ts';
import { briefProposal } from './brief-approval.ts';

const SEVEN_DAYS_MS = 7 * 86_400_000;
/** Looked through at most, newest first; what is older is not counted, and the answer says so. */
const MOST_CALLS = 5_000;
const MOST_ENTRIES = 50_000;
const CALLS_A_PAGE = 128;
/** An entry of each for a call; of others nothing is read but their kind. */
const KINDS = ['tool.proposed', 'approval.asked', 'tool.decided'];
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
 * Calls of the last seven days of the same tool and the same principal, besides the call itself. A
 * search like others, and in turns with them. Contract: rejects with the signal's reason.
 */
export async function pastOf(
  { proposal }: ApprovalRecord,
  { journal, clock }: PastParts,
  signal: AbortSignal,
): Promise<Past> {
  const since = new Date(clock.now().getTime() - SEVEN_DAYS_MS);
  const { tool = '', principal = '', callId = '' } = proposal ?? {};
  const search = new Search(tool, principal, callId);
  const query = { kinds: KINDS, since, limit: KINDS.length * CALLS_A_PAGE, signal };
  const end = journal.tip().sequence + 1;
  for (let before = end; ;) {
    const page = await journal.list({ ...query, before });
    signal.throwIfAborted();
    for (const entry of decoded(page)) search.see(entry);
    before = page.searchedTo;
    const { calls } = search;
    const isCut = page.isEnd
      ? await isArchived(journal, before - 1)
      : calls.length >= MOST_CALLS || end - before >= MOST_ENTRIES;
    if (isCut) return { since: (await journal.find(before))?.time ?? '', isCut, calls };
    if (page.isEnd) return { since: since.toISOString(), isCut, calls };
  }
}

/** Newest first. What cannot be read any more is no call that could be shown. */
function decoded({ entries }: EntriesPage): readonly SealedEntry[] {
  return entries.flatMap(({ canonical, hash }) => decodeEntry(canonical, hash) ?? []);
}

async function isArchived(journal: JournalPort, sequence: number): Promise<boolean> {
  return sequence > 0 && (await journal.find(sequence)) === undefined;
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
