import type { CallId } from '@palyra/kernel';
import type { ArchiveJournalResponse, UndoneFile, WatchRunsResponse } from '@palyra/protocol';
import { ActivityFlows } from './activity/activity-flows.ts';
import { ApprovalFlows } from './approvals/approval-flows.ts';
import { archiveJournal } from './archive-journal.ts';
import type { ConfigDesk } from './config/ports.ts';
import { DoctorFlows } from './doctor/doctor-flows.ts';
import { JournalReader } from './journal-reader.ts';
import type { Actor } from './identity/caller.ts';
import type { IdentityPort } from './identity/ports.ts';
import { ModelFlows } from './models/model-flows.ts';
import type { GatewayParts } from './parts.ts';
import { PolicyFlows } from './policy/policy-flows.ts';
import { type ArtifactPage, type ArtifactWish, artifactOf } from './run/artifact-of.ts';
import { ArtifactSizes } from './run/artifact-sizes.ts';
import { type FoundAttestation, attestationOf } from './run/attestation-of.ts';
import type { Toucher } from './ports.ts';
import { Runs, type WatchRun } from './run/runs.ts';
import { OneByOne } from './run/one-by-one.ts';
import { TakeUp } from './run/take-up.ts';
import { SandboxFlows } from './sandbox/sandbox-flows.ts';
import { SessionFlows } from './sessions/session-flows.ts';
import { type UndoCaller, type UndoRun, undoRun } from './run/undo.ts';
import { watchMany } from './run/watch-many.ts';

/** What every door of Palyra leads to. */
export interface Gateway {
  readonly runs: Runs;
  readonly sessions: SessionFlows;
  readonly journal: JournalReader;
  readonly activity: ActivityFlows;
  readonly identity: IdentityPort;
  readonly policy: PolicyFlows;
  readonly approvals: ApprovalFlows;
  readonly models: ModelFlows;
  readonly sandbox: SandboxFlows;
  readonly config: ConfigDesk;
  readonly doctor: DoctorFlows;
  /** Only segments that lie wholly before the sequence; 0 for every sealed one. */
  archiveJournal(before: number, actor: Actor): Promise<ArchiveJournalResponse>;
  attestationOf(callId: CallId, caller: Toucher): Promise<FoundAttestation>;
  /** Several at once, each as it is told to one who watches it alone. */
  watchRuns(
    wanted: readonly WatchRun[],
    caller: Toucher,
    signal: AbortSignal,
  ): AsyncGenerator<WatchRunsResponse>;
  readArtifact(wish: ArtifactWish, caller: Toucher): Promise<ArtifactPage>;
  undoRun(request: UndoRun, caller: UndoCaller): Promise<readonly UndoneFile[]>;
  /** Those that were answered, and that the gateway before did not let go on. Once, after `recover` of runs. */
  takeUpAnswered(): Promise<void>;
}

export function createGateway(parts: GatewayParts): Gateway {
  const journal = new JournalReader(parts.journal, parts.runs);
  const undos = new OneByOne();
  const runs = new Runs(parts);
  const takeUp = new TakeUp(runs, parts);
  const sizes = new ArtifactSizes(parts.journal);
  return {
    runs,
    sessions: new SessionFlows({ ...parts, isBusy: (sessionId) => runs.isBusy(sessionId) }),
    journal,
    activity: new ActivityFlows(parts.activity, parts.clock),
    identity: parts.identity,
    policy: new PolicyFlows(parts, journal),
    approvals: new ApprovalFlows(parts.approvalDesk, {
      ...parts,
      onAnswered: (record) => takeUp.answered(record),
    }),
    models: new ModelFlows(parts.modelDesk, parts.clock),
    sandbox: new SandboxFlows(parts.sandboxDesk, parts),
    config: parts.configDesk,
    doctor: new DoctorFlows(parts.doctorDesk, parts.clock),
    archiveJournal: (before, actor) => archiveJournal(parts.journal, before, actor),
    attestationOf: (callId, caller) => attestationOf(callId, caller, parts),
    watchRuns: (wanted, caller, signal) =>
      watchMany(
        wanted.map((one) => ({
          runId: one.runId,
          events: (leaving) => runs.watch(one, caller, leaving),
          checkSeen: async () => void (await runs.get(one.runId, caller)),
        })),
        parts.policyDesk,
        signal,
      ),
    readArtifact: (wish, caller) => artifactOf(wish, caller, { ...parts, sizes }),
    undoRun: (request, caller) => undos.of(request.runId, () => undoRun(request, caller, parts)),
    takeUpAnswered: () => takeUp.answeredBefore(),
  };
}
