import { fromJson } from '@bufbuild/protobuf';
import { JOURNAL_KINDS, type SealedEntry, sha256Hex } from '@palyra/kernel';
import { type ToolProposal, ToolOutcome, type ToolResult } from '@palyra/protocol';

/** As much of a call and its result as it takes to notice that both came before. */
export interface SeenCall {
  /** The tool and its canonical arguments. */
  readonly call: string;
  readonly result: string;
  readonly isDenied: boolean;
  /** Files are not what they were: the same call may mean something new. */
  readonly isChange: boolean;
}

export function seenCall(proposal: ToolProposal, result: ToolResult): SeenCall {
  const { tool, facts } = proposal;
  const { outcome, output, error } = result;
  const said = [outcome, error?.code ?? 0, error?.message ?? '', output].join('\n');
  return {
    call: `${tool} ${facts?.argumentsSha256 ?? ''}`,
    result: sha256Hex(new TextEncoder().encode(said)),
    isDenied: outcome === ToolOutcome.REFUSED,
    isChange: outcome === ToolOutcome.SUCCEEDED && (facts?.writes.length ?? 0) > 0,
  };
}

/** The calls of a run that have a result, those of each turn in the order of its calls. */
export function seenCalls(entries: readonly SealedEntry[]): readonly SeenCall[] {
  const proposals = new Map<string, ToolProposal>();
  const seen: SeenCall[] = [];
  let turn = new Map<string, SeenCall | undefined>();
  const endTurn = () => seen.push(...[...turn.values()].filter((call) => call !== undefined));
  for (const { kind, payload } of entries) {
    if (kind === 'model.message') {
      endTurn();
      const { toolCalls } = fromJson(JOURNAL_KINDS[kind], payload, READ);
      turn = new Map(toolCalls.map(({ callId }) => [callId, undefined]));
    } else if (kind === 'tool.proposed') {
      const proposal = fromJson(JOURNAL_KINDS[kind], payload, READ);
      proposals.set(proposal.callId, proposal);
    } else if (kind === 'tool.finished') {
      const result = fromJson(JOURNAL_KINDS[kind], payload, READ);
      const proposal = proposals.get(result.callId);
      if (proposal !== undefined) turn.set(result.callId, seenCall(proposal, result));
    }
  }
  endTurn();
  return seen;
}

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;
