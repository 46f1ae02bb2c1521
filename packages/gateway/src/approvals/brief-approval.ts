import { create, toBinary } from '@bufbuild/protobuf';
import {
  type ApprovalRecord,
  type CallFacts,
  CallFactsSchema,
  type ToolProposal,
} from '@palyra/protocol';

/** Of the arguments of one call in a list: 500 of them still fit into one message. */
const MOST_BYTES = 4_096;

/** For lists: everything but the preview, and nothing that is long. */
export function briefApproval(record: ApprovalRecord): ApprovalRecord {
  const { preview: _shown, proposal, ...rest } = record;
  return proposal === undefined ? rest : { ...rest, proposal: briefProposal(proposal) };
}

/**
 * How long they are, and which bytes, is told of the arguments that are left out; and what they come to,
 * unless that is long, too: nobody can tell a question by its length.
 */
export function briefProposal(proposal: ToolProposal): ToolProposal {
  const { facts, arguments: _left, ...rest } = proposal;
  const { argumentBytes = 0, argumentsSha256 = '' } = facts ?? {};
  if (facts === undefined || argumentBytes <= MOST_BYTES) return proposal;
  if (isBrief(facts)) return { ...rest, facts };
  return { ...rest, facts: create(CallFactsSchema, { argumentBytes, argumentsSha256 }) };
}

/** Of a process the facts are the arguments once more. */
function isBrief(facts: CallFacts): boolean {
  return facts.process === undefined && toBinary(CallFactsSchema, facts).length <= MOST_BYTES;
}
