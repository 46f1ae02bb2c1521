import type { Execution, ExecutionPlace, SandboxPort, SandboxRequest } from '@palyra/gateway';
import { type Log, PalyraError, quote, redact } from '@palyra/kernel';
import { Executor, ToolOutcome } from '@palyra/protocol';
import type { OwnPlaces } from '../own-places.ts';
import type { Limits, Sandboxes } from '../sandbox-process.ts';
import { connectionOf } from './connection.ts';
import { executionOf, executorOf } from './execution.ts';
import { commandOf, isProcessRun } from './process-call.ts';

export interface SandboxPortParts {
  readonly sandboxes: Sandboxes;
  readonly own: OwnPlaces;
  readonly limits: Limits;
  readonly log: Log;
}

type Verdict = Awaited<ReturnType<Sandboxes['verdict']>>;

const NOWHERE: ExecutionPlace = { tier: 'none', executor: Executor.NONE };

/** Carries out what a gateway has cleared, in a sandbox. `process.run` alone has code behind it yet. */
export function createSandboxPort({
  sandboxes,
  own,
  limits,
  log,
}: SandboxPortParts): SandboxPort & {
  /** Looks what was proven on this machine, or proves it, before the first call needs it. */
  start(): Promise<void>;
} {
  let verdict: Promise<Verdict | undefined> | undefined;
  const proven = () => {
    verdict ??= sandboxes.verdict().catch((reason: unknown) => {
      log.warn('nobody knows what sandboxes hold here', {
        error: redact(PalyraError.from(reason)),
      });
      // The next call asks again: what kept it from being found out may be gone by then.
      verdict = undefined;
      return undefined;
    });
    return verdict;
  };
  return {
    start: async () => {
      await proven();
    },
    place: async ({ tool }) => (isProcessRun(tool) ? placeOf(await proven()) : NOWHERE),
    execute: async (request, signal) => {
      if (!isProcessRun(request.tool)) return notExecuted(notBuilt(request.tool));
      try {
        const command = commandOf(request, { own, limits });
        const ending = await sandboxes.run(command, {
          signal,
          onOutput: () => {},
          onConnection: (record) => tellConnection(request, record),
        });
        return executionOf(ending, await proven());
      } catch (reason) {
        return notExecuted(PalyraError.from(reason));
      }
    },
  };
}

/** Of tier C alone: the port asks for no other. */
function placeOf(verdict: Verdict | undefined): ExecutionPlace {
  const step = verdict?.tier === 'C' ? verdict.steps.find(({ isProven }) => isProven) : undefined;
  return step === undefined ? NOWHERE : { tier: 'C', executor: executorOf(step.executor) };
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
  return {
    outcome: ToolOutcome.FAILED,
    executor: Executor.NONE,
    enforcement: 'not executed',
    output: new Uint8Array(),
    error,
  };
}
