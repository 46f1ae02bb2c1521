import type { DescMessage } from '@bufbuild/protobuf';
import {
  AccessRefusedSchema,
  ApprovalNoteSchema,
  AuthorityNoteSchema,
  BudgetNoteSchema,
  ConsoleSessionNoteSchema,
  DaemonStartedSchema,
  DaemonStoppedSchema,
  DeviceNoteSchema,
  EgressConnectionSchema,
  FileChangeSchema,
  GrantNoteSchema,
  JournalArchivedSchema,
  MemberNoteSchema,
  ModelMessageSchema,
  ModelSpokenSchema,
  PairingNoteSchema,
  PasskeyNoteSchema,
  PolicyChangedSchema,
  PolicyRefusedSchema,
  ProofNoteSchema,
  RecordsChangedSchema,
  RunCompactedSchema,
  RunEndedSchema,
  RunInterruptedSchema,
  RunResumedSchema,
  RunStartedSchema,
  SessionNoteSchema,
  ShadowChangedSchema,
  TokenNoteSchema,
  ToolAttestationSchema,
  ToolDecisionSchema,
  ToolProposalSchema,
  ToolResultSchema,
  ToolStartedSchema,
} from '@palyra/protocol';

/** Which shape the payload of each kind of entry has. */
export const JOURNAL_KINDS = {
  get 'daemon.started'() {
    return DaemonStartedSchema;
  },
  get 'daemon.stopped'() {
    return DaemonStoppedSchema;
  },
  get 'journal.archived'() {
    return JournalArchivedSchema;
  },
  get 'records.changed'() {
    return RecordsChangedSchema;
  },
  get 'authority.created'() {
    return AuthorityNoteSchema;
  },
  get 'authority.retiring'() {
    return AuthorityNoteSchema;
  },
  get 'authority.retired'() {
    return AuthorityNoteSchema;
  },
  get 'member.added'() {
    return MemberNoteSchema;
  },
  get 'member.changed'() {
    return MemberNoteSchema;
  },
  get 'member.removed'() {
    return MemberNoteSchema;
  },
  get 'device.paired'() {
    return DeviceNoteSchema;
  },
  get 'device.renamed'() {
    return DeviceNoteSchema;
  },
  get 'device.renewed'() {
    return DeviceNoteSchema;
  },
  get 'device.revoked'() {
    return DeviceNoteSchema;
  },
  get 'device.removed'() {
    return DeviceNoteSchema;
  },
  get 'pairing.started'() {
    return PairingNoteSchema;
  },
  get 'pairing.tried'() {
    return PairingNoteSchema;
  },
  get 'pairing.proven'() {
    return PairingNoteSchema;
  },
  get 'pairing.approved'() {
    return PairingNoteSchema;
  },
  get 'pairing.rejected'() {
    return PairingNoteSchema;
  },
  get 'pairing.expired'() {
    return PairingNoteSchema;
  },
  get 'pairing.completed'() {
    return PairingNoteSchema;
  },
  get 'token.created'() {
    return TokenNoteSchema;
  },
  get 'token.rotated'() {
    return TokenNoteSchema;
  },
  get 'token.revoked'() {
    return TokenNoteSchema;
  },
  get 'token.used'() {
    return TokenNoteSchema;
  },
  get 'passkey.challenged'() {
    return PasskeyNoteSchema;
  },
  get 'passkey.added'() {
    return PasskeyNoteSchema;
  },
  get 'passkey.renamed'() {
    return PasskeyNoteSchema;
  },
  get 'passkey.removed'() {
    return PasskeyNoteSchema;
  },
  get 'passkey.used'() {
    return PasskeyNoteSchema;
  },
  get 'passkey.refused'() {
    return PasskeyNoteSchema;
  },
  get 'console.linked'() {
    return ConsoleSessionNoteSchema;
  },
  get 'console.opened'() {
    return ConsoleSessionNoteSchema;
  },
  get 'console.closed'() {
    return ConsoleSessionNoteSchema;
  },
  get 'access.refused'() {
    return AccessRefusedSchema;
  },
  get 'policy.changed'() {
    return PolicyChangedSchema;
  },
  get 'policy.refused'() {
    return PolicyRefusedSchema;
  },
  get 'sandboxes.proven'() {
    return ProofNoteSchema;
  },
  get 'shadow.started'() {
    return ShadowChangedSchema;
  },
  get 'shadow.stopped'() {
    return ShadowChangedSchema;
  },
  get 'session.created'() {
    return SessionNoteSchema;
  },
  get 'session.branched'() {
    return SessionNoteSchema;
  },
  get 'session.renamed'() {
    return SessionNoteSchema;
  },
  get 'session.archived'() {
    return SessionNoteSchema;
  },
  get 'session.restored'() {
    return SessionNoteSchema;
  },
  get 'run.queued'() {
    return RunStartedSchema;
  },
  get 'run.started'() {
    return RunStartedSchema;
  },
  get 'run.resumed'() {
    return RunResumedSchema;
  },
  get 'run.interrupted'() {
    return RunInterruptedSchema;
  },
  get 'run.compacted'() {
    return RunCompactedSchema;
  },
  get 'run.ended'() {
    return RunEndedSchema;
  },
  get 'model.message'() {
    return ModelMessageSchema;
  },
  get 'model.spoken'() {
    return ModelSpokenSchema;
  },
  get 'tool.proposed'() {
    return ToolProposalSchema;
  },
  get 'tool.decided'() {
    return ToolDecisionSchema;
  },
  get 'approval.asked'() {
    return ApprovalNoteSchema;
  },
  get 'approval.answered'() {
    return ApprovalNoteSchema;
  },
  get 'approval.closed'() {
    return ApprovalNoteSchema;
  },
  get 'approval.used'() {
    return ApprovalNoteSchema;
  },
  get 'grant.made'() {
    return GrantNoteSchema;
  },
  get 'grant.used'() {
    return GrantNoteSchema;
  },
  get 'grant.revoked'() {
    return GrantNoteSchema;
  },
  get 'grant.ended'() {
    return GrantNoteSchema;
  },
  get 'budget.changed'() {
    return BudgetNoteSchema;
  },
  get 'tool.started'() {
    return ToolStartedSchema;
  },
  get 'sandbox.connected'() {
    return EgressConnectionSchema;
  },
  get 'file.changed'() {
    return FileChangeSchema;
  },
  get 'file.restored'() {
    return FileChangeSchema;
  },
  get 'tool.finished'() {
    return ToolResultSchema;
  },
  get 'tool.attested'() {
    return ToolAttestationSchema;
  },
} as const satisfies Record<string, DescMessage>;

export type JournalKind = keyof typeof JOURNAL_KINDS;

export function isJournalKind(text: string): text is JournalKind {
  return Object.hasOwn(JOURNAL_KINDS, text);
}
