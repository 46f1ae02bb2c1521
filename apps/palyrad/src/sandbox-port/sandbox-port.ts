import type {
  Execution,
  ExecutionPlace,
  ExpectedRun,
  SandboxPort,
  SandboxRequest,
} from '@palyra/gateway';
import { PalyraError, quote } from '@palyra/kernel';
import { Executor, ToolOutcome } from '@palyra/protocol';
import { demandAsShown, demandShownDirectory, demandShownFiles } from '../as-shown.ts';
import { connectingTo } from '../connecting.ts';
import { folderNumberAt } from '../folder-number.ts';
import type { OwnPlaces } from '../own-places.ts';
import type { Sandboxes, Verdict } from '../sandbox-process.ts';
import { connectionOf } from './connection.ts';
import { executionOf, executorOf, limitsMessage } from './execution.ts';
import { directoryNumbers } from './folder-numbers.ts';
import { Habits, type UsualCage } from './habits.ts';
import { namedFiles } from './named-files.ts';
import { previewOf } from './preview.ts';
import { type Ground, commandOf, endingOf, isProcessRun, startOf, tierOf } from './process-call.ts';
import type { Workspaces } from '../workspaces.ts';
import type { Verdicts } from './verdicts.ts';

export interface SandboxPortParts extends Omit<Ground, 'own'> {
  readonly workspaces: Pick<Workspaces, 'groundIn'>;
  readonly sandboxes: Pick<Sandboxes, 'run' | 'expect'>;
  readonly verdicts: Pick<Verdicts, 'current'>;
}

const NOWHERE: ExecutionPlace = { tier: 'none', executor: Executor.NONE };

/** Carries out what a gateway has cleared, in a sandbox. `process.run` alone has code behind it yet. */
export function createSandboxPort(parts: SandboxPortParts): SandboxPort {
  const { sandboxes, verdicts, workspaces, ...bounds } = parts;
  const proven = () => verdicts.current();
  const habits = new Habits();
  return {
    place: async ({ tool, arguments: args }) =>
      isProcessRun(tool) ? placeOf(tierOf(args), await proven()) : NOWHERE,
    preview: async (proposal) => {
      const { tool, arguments: args } = proposal;
      const known = isProcessRun(tool) ? await proven() : undefined;
      const place = placeOf(tierOf(args), known);
      return previewOf(proposal, { place, verdict: known });
    },
    expect: (call) => {
      if (!isProcessRun(call.tool) || tierOf(call.arguments) !== 'C') return;
      expectIn(parts, call, (own) => commandOf(call, { own, ...bounds }));
    },
    expectRun: (run) => {
      const usual = habits.begin(run);
      if (usual !== undefined) expectIn(parts, run, () => usual);
    },
    execute: async (request, signal) => {
      if (!isProcessRun(request.tool)) return notExecuted(notBuilt(request.tool));
      try {
        const own = workspaces.groundIn(request.workspace);
        demandShown(request, own);
        const command = commandOf(request, { own, ...bounds });
        // The rules were told of this tier only where it was proven.
        if (command.tier === 'B') insistOn('B', await proven());
        habits.note(command);
        const ending = await sandboxes.run(command, {
          signal,
          onOutput: (stream, bytes) =>
            request.onOutput({ isErrorOutput: stream === 'stderr', bytes }),
          // A call names whom it reaches; nobody lists addresses for it.
          mayConnect: (to) => request.mayConnect(connectingTo(to, [])),
          onConnection: (record) => tellConnection(request, record),
        });
        const execution = executionOf(endingOf(ending, command, bounds.limits), await proven());
        return { ...execution, limits: limitsMessage(command.limits) };
      } catch (reason) {
        return notExecuted(PalyraError.from(reason));
      }
    },
  };
}

/** As late as it can be looked at: between this and the start of the command is a moment. */
function demandShown({ shown, arguments: args }: SandboxRequest, { workspace }: OwnPlaces): void {
  demandAsShown(shown, () => folderNumberAt(workspace));
  demandShownDirectory(shown, () => directoryNumbers(workspace, startOf(args)));
  demandShownFiles(shown, () => namedFiles(args, workspace));
}

/** Words stay here: nobody has decided about them yet. */
function expectIn(
  { sandboxes, workspaces }: SandboxPortParts,
  { principal, sessionId: session, policySetHash, workspace: path }: ExpectedRun,
  cageIn: (own: OwnPlaces) => UsualCage,
): void {
  try {
    const { tier, workspace, egress, limits } = cageIn(workspaces.groundIn(path));
    sandboxes.expect({ tier, workspace, egress, limits, principal, session, policySetHash });
  } catch (reason) {
    // What must not run is refused when it comes.
    if (!(reason instanceof PalyraError)) throw reason;
  }
}

type Tier = Extract<ExecutionPlace['tier'], 'B' | 'C'>;

const TIER_OF_STEP: Readonly<Record<Verdict['steps'][number]['step'], Tier>> = {
  bubblewrap: 'C',
  landlock: 'C',
  process: 'B',
};

/** The step of the ladder that would be taken. */
function placeOf(tier: Tier, verdict: Verdict | undefined): ExecutionPlace {
  const step = verdict?.steps.find((each) => each.isProven && TIER_OF_STEP[each.step] === tier);
  return step === undefined ? NOWHERE : { tier, executor: executorOf(step.executor) };
}

function insistOn(tier: Tier, verdict: Verdict | undefined): void {
  if (placeOf(tier, verdict).tier === tier) return;
  throw new PalyraError('SANDBOX_UNAVAILABLE', `tier ${tier} is not proven on this machine`, {
    help: '`palyra sandbox prove` shows everything that was tried',
  });
}

function tellConnection(
  { callId, onConnection }: SandboxRequest,
  record: Parameters<typeof connectionOf>[1],
): void {
  onConnection(connectionOf(callId, record));
}

function notBuilt(tool: string): PalyraError {
  return new PalyraError('NOT_BUILT', `nothing carries out ${quote(tool)} yet`, {
    help: 'the README lists which tools are missing',
  });
}

function notExecuted(error: PalyraError): Execution {
  const isOutdated = error.code === 'APPROVAL_OUTDATED';
  return {
    outcome: isOutdated ? ToolOutcome.REFUSED : ToolOutcome.FAILED,
    executor: Executor.NONE,
    enforcement: 'not executed',
    output: new Uint8Array(),
    error,
  };
}
