import { create } from '@bufbuild/protobuf';
import { type EntryDraft, parseId } from '@palyra/kernel';
import {
  type ApprovalGrant,
  ApprovalNoteSchema,
  type ApprovalRecord,
  ApprovalStatus,
  type ApprovalVoice,
  GrantNoteSchema,
  type ToolProposal,
} from '@palyra/protocol';
import { jsonOf } from '@palyra/records';

type ApprovalKind = 'approval.asked' | 'approval.answered' | 'approval.closed' | 'approval.used';

export function approvalEntry(
  kind: ApprovalKind,
  record: ApprovalRecord,
  { actor, voice }: { readonly actor: string; readonly voice?: ApprovalVoice },
): EntryDraft {
  const { approvalId, fingerprint, status, gates, deadline, reason, grantId, proposal } = record;
  const note = create(ApprovalNoteSchema, {
    approvalId,
    fingerprint,
    status,
    reason,
    grantId,
    callId: proposal?.callId ?? '',
    ...(kind === 'approval.asked' ? { gates, deadline, ...shownOf(record) } : {}),
    ...(voice === undefined ? {} : { voice }),
  });
  return { kind, actor, ...runOf(proposal), payload: jsonOf(ApprovalNoteSchema, note) };
}

/** What whoever watches the run is told of a call that a grant covers: nobody is asked. */
export function coveredEntry(
  { approvalId, grantId, usesLeft: grantUsesLeft }: ApprovalGrant,
  proposal: ToolProposal,
  { actor }: { readonly actor: string },
): EntryDraft {
  const { callId, fingerprint } = proposal;
  const status = ApprovalStatus.GRANTED;
  const grant = { approvalId, grantId, grantUsesLeft };
  const note = create(ApprovalNoteSchema, { ...grant, callId, fingerprint, status });
  const payload = jsonOf(ApprovalNoteSchema, note);
  return { kind: 'approval.used', actor, ...runOf(proposal), payload };
}

/** Of the diff the journal has both ends: the arguments, and each file's hash before and after. */
function shownOf({ preview }: ApprovalRecord) {
  return preview === undefined ? {} : { preview: { ...preview, diff: '' } };
}

type GrantKind = 'grant.made' | 'grant.used' | 'grant.revoked' | 'grant.ended';

export function grantEntry(
  kind: GrantKind,
  grant: ApprovalGrant,
  { actor, proposal }: { readonly actor: string; readonly proposal?: ToolProposal },
): EntryDraft {
  const { callId = '', fingerprint = '' } = proposal ?? {};
  const { shown: _kept, ...brief } = grant;
  // What it is bound to is on record since it was made.
  const note = create(GrantNoteSchema, {
    grant: kind === 'grant.made' ? grant : brief,
    callId,
    fingerprint,
  });
  return { kind, actor, payload: jsonOf(GrantNoteSchema, note) };
}

function runOf(proposal: ToolProposal | undefined) {
  const runId = parseId<'run'>(proposal?.runId ?? '');
  const sessionId = parseId<'session'>(proposal?.sessionId ?? '');
  return runId === undefined || sessionId === undefined ? {} : { runId, sessionId };
}
