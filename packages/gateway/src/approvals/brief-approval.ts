import { create } from '@bufbuild/protobuf';
import { type ApprovalRecord, CallFactsSchema, type ToolProposal } from '@palyra/protocol';

/** Of the arguments of one call in a list: 500 of them still fit into one message. */
const MOST_BYTES = 4_096;

/** For lists: everything but the preview, and nothing that is long. */
export function briefApproval(record: ApprovalRecord): ApprovalRecord {
  const { preview: _shown, proposal, ...rest } = record;
  return proposal === undefined ? rest : { ...rest, proposal: briefProposal(proposal) };
}

/** How long they are, and which bytes, is told of the arguments that are left out. */
export function briefProposal(proposal: ToolProposal): ToolProposal {
  const { facts, arguments: _left, ...rest } = proposal;
  const { argumentBytes = 0, argumentsSha256 = '' } = facts ?? {};
  if (argumentBytes <= MOST_BYTES) return proposal;
  return { ...rest, facts: create(CallFactsSchema, { argumentBytes, argumentsSha256 }) };
}
