import { fromJson } from '@bufbuild/protobuf';
import { JOURNAL_KINDS, type SealedEntry } from '@palyra/kernel';
import { Capability, type ToolDecision, type ToolProposal } from '@palyra/protocol';

/** Where something came from that a run has seen, as rules name it. */
export type TaintLabel = 'web' | 'tool' | 'mcp' | 'file' | 'memory' | 'secret';

/** What brought the output of a call into the run, and how it was decided. */
export interface TaintingCall {
  readonly proposal: Pick<ToolProposal, 'tool' | 'capabilities' | 'facts'>;
  readonly decision: Pick<ToolDecision, 'gates'>;
}

/**
 * What the output of a call that ran makes a run. Files count, those of the workspace too: whoever
 * wrote them may not be whoever the run works for.
 */
export function labelsOf({ proposal, decision }: TaintingCall): readonly TaintLabel[] {
  const source = sourceOf(proposal.tool);
  const labels = source === undefined ? [] : [source];
  return readsSecret(proposal, decision) ? [...labels, 'secret'] : labels;
}

/** What has been seen in the runs that these entries are of. Contract: in order. */
export function taintOf(entries: readonly SealedEntry[]): ReadonlySet<TaintLabel> {
  const labels = new Set<TaintLabel>();
  const proposals = new Map<string, ToolProposal>();
  const cleared = new Map<string, TaintingCall>();
  for (const { kind, payload } of entries) {
    if (kind === 'tool.proposed') {
      const proposal = fromJson(JOURNAL_KINDS[kind], payload, READ);
      proposals.set(proposal.callId, proposal);
    } else if (kind === 'tool.decided') {
      const decision = fromJson(JOURNAL_KINDS[kind], payload, READ);
      const proposal = proposals.get(decision.callId);
      if (proposal !== undefined) cleared.set(decision.callId, { proposal, decision });
    } else if (kind === 'tool.started') {
      const call = cleared.get(fromJson(JOURNAL_KINDS[kind], payload, READ).callId);
      for (const label of call === undefined ? [] : labelsOf(call)) labels.add(label);
    }
  }
  return labels;
}

/** Entries of a newer Palyra may say more than this one knows; what it knows it still reads. */
const READ = { ignoreUnknownFields: true } as const;

/** Tools whose answers are our own words. */
const OUR_WORDS: ReadonlySet<string> = new Set(['fs.write', 'fs.patch', 'memory.save']);
const FILES: ReadonlySet<string> = new Set(['fs.read', 'fs.list', 'fs.search']);

/** What nobody has named here brings the words of whoever made it. */
function sourceOf(tool: string): TaintLabel | undefined {
  if (OUR_WORDS.has(tool)) return undefined;
  if (FILES.has(tool)) return 'file';
  if (tool === 'memory.search') return 'memory';
  if (tool === 'http.fetch' || tool.startsWith('browser.')) return 'web';
  return tool.startsWith('mcp.') ? 'mcp' : 'tool';
}

/** The rule that knows the names of files with secrets. It is built in and nothing lifts it. */
const SECRET_FILES = 'touching-files-with-secrets-asks';

function readsSecret(
  { capabilities, facts }: TaintingCall['proposal'],
  { gates }: TaintingCall['decision'],
): boolean {
  return (
    (facts?.secrets.length ?? 0) > 0 ||
    capabilities.includes(Capability.SECRETS_READ) ||
    gates.some(({ ruleId }) => ruleId === SECRET_FILES)
  );
}
