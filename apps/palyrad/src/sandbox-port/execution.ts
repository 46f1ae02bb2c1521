import { create } from '@bufbuild/protobuf';
import type { Execution } from '@palyra/gateway';
import { type ErrorCode, PalyraError } from '@palyra/kernel';
import {
  type ExecutionLimits,
  ExecutionLimitsSchema,
  Executor,
  ToolOutcome,
} from '@palyra/protocol';
import type { Ending, Limits, Sandboxes } from '../sandbox-process.ts';

type Verdict = Awaited<ReturnType<Sandboxes['verdict']>>;

const EXECUTORS: Readonly<Record<string, Executor>> = {
  sandbox_tier_b_rlimits: Executor.SANDBOX_TIER_B_RLIMITS,
  sandbox_tier_c_linux_bubblewrap: Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP,
  sandbox_tier_c_linux_landlock: Executor.SANDBOX_TIER_C_LINUX_LANDLOCK,
  sandbox_tier_c_macos_sandbox_exec: Executor.SANDBOX_TIER_C_MACOS_SANDBOX_EXEC,
  sandbox_tier_c_windows_job_object: Executor.SANDBOX_TIER_C_WINDOWS_JOB_OBJECT,
};

/** The other way round, for what was proven of it. */
export function executorNameOf(executor: Executor): string {
  return Object.entries(EXECUTORS).find(([, each]) => each === executor)?.[0] ?? '';
}

export function executorOf(name: string): Executor {
  return EXECUTORS[name] ?? Executor.NONE;
}

/** How a command ended, as a call's evidence has it: both outputs, one after the other, are its output. */
export function executionOf(ending: Ending, verdict: Verdict | undefined): Execution {
  const error = errorOf(ending);
  const isStarted = ending.kind !== 'refused';
  return {
    outcome: outcomeOf(ending, error),
    executor: isStarted ? executorOf(ending.posture.executor) : Executor.NONE,
    enforcement: isStarted ? enforcementOf(ending, verdict) : 'not executed',
    output: new Uint8Array(Buffer.concat([ending.stdout, ending.stderr])),
    ...(ending.code !== undefined && { exitCode: ending.code }),
    ...(ending.signal !== undefined && { exitSignal: ending.signal }),
    ...(error !== undefined && { error }),
  };
}

/** What the command could use at most, for the evidence. */
export function limitsMessage(limits: Limits): ExecutionLimits {
  return create(ExecutionLimitsSchema, {
    cpuTimeLimitMs: limits.cpuTimeMs,
    wallTimeLimitMs: limits.wallTimeMs,
    memoryLimitBytes: BigInt(limits.memoryBytes),
    maxOutputBytes: BigInt(limits.outputBytes),
    processes: limits.processes,
    openFiles: limits.openFiles,
    fileBytes: BigInt(limits.fileBytes),
  });
}

function errorOf({ code, signal, fault }: Ending): PalyraError | undefined {
  if (fault !== undefined) return new PalyraError(fault.code, fault.reason, { help: fault.help });
  if (signal !== undefined)
    return new PalyraError('TOOL_FAILED', `the command was ended by ${signal}`);
  if (code === 0) return undefined;
  return new PalyraError('TOOL_FAILED', `the command ended with ${code}`);
}

const OUTCOMES: Readonly<Partial<Record<ErrorCode, ToolOutcome>>> = {
  CANCELLED: ToolOutcome.CANCELLED,
  SANDBOX_TIMED_OUT: ToolOutcome.TIMED_OUT,
  SANDBOX_DISABLED: ToolOutcome.REFUSED,
  SANDBOX_SCOPE_DENIED: ToolOutcome.REFUSED,
  SANDBOX_EGRESS_DENIED: ToolOutcome.REFUSED,
};

function outcomeOf({ kind }: Ending, error: PalyraError | undefined): ToolOutcome {
  if (error === undefined) return ToolOutcome.SUCCEEDED;
  const outcome = OUTCOMES[error.code] ?? ToolOutcome.FAILED;
  return outcome === ToolOutcome.REFUSED && kind !== 'refused' ? ToolOutcome.FAILED : outcome;
}

/** What was observed, never what was meant. */
function enforcementOf({ posture }: Ending, verdict: Verdict | undefined): string {
  const { executor, namespaces, seccomp, memory, egress, hosts, isWarm, weaknesses } = posture;
  if (executorOf(executor) === Executor.NONE) return `unknown: ${weaknesses.join('; ')}`;
  const words = [
    `${executor}, ${isWarm ? 'warm' : 'cold'}`,
    `own namespaces ${namespaces.length === 0 ? 'none' : namespaces.join(' ')}`,
    seccomp === '' ? 'no system call filter' : `system call filter ${seccomp.slice(0, 16)}`,
    memory === 'cgroup' ? 'memory and processes limited by cgroup' : 'memory measured only',
    `egress ${egress}${egress === 'strict' ? ` to ${hosts.length === 0 ? 'nobody' : hosts.join(' ')}` : ''}`,
    provenWords(executor, verdict),
    ...weaknesses.map((weakness) => `weaker: ${weakness}`),
  ];
  return words.join('; ');
}

export function provenWords(executor: string, verdict: Verdict | undefined): string {
  const step = verdict?.steps.find((each) => each.executor === executor && each.isProven);
  if (verdict === undefined || step === undefined) return 'not proven on this machine';
  return `${step.findings.length} attacks refused on ${verdict.provenAt}`;
}
