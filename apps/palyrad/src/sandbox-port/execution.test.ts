import { Executor, ToolOutcome } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import type { Ending } from '../sandbox-process.ts';
import { executionOf } from './execution.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const ENDING: Ending = {
  kind: 'exited',
  code: 0,
  stdout: bytes('out'),
  stderr: bytes('err'),
  truncated: { stdout: false, stderr: false },
  outputSha256: '',
  durationMs: 1,
  posture: {
    executor: 'sandbox_tier_c_linux_bubblewrap',
    namespaces: ['user', 'pid'],
    seccomp: 'f'.repeat(64),
    memory: 'cgroup',
    egress: 'strict',
    hosts: [],
    isWarm: true,
    weaknesses: [],
  },
};
const fault = (
  code: 'CANCELLED' | 'SANDBOX_TIMED_OUT' | 'SANDBOX_SCOPE_DENIED' | 'SANDBOX_FAILED',
) => ({
  kind: 'RuntimeFailure' as const,
  code,
  reason: 'why',
  help: 'what then',
});

describe('the end of a command', () => {
  it('that went well is a success with both outputs and what was seen of its cage', () => {
    const told = executionOf(ENDING, undefined);
    expect(told).toMatchObject({
      outcome: ToolOutcome.SUCCEEDED,
      executor: Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP,
      enforcement:
        'sandbox_tier_c_linux_bubblewrap, warm; own namespaces user pid; system call filter ffffffffffffffff; memory and processes limited by cgroup; egress strict to nobody; not proven on this machine',
    });
    expect(Buffer.from(told.output).toString()).toBe('outerr');
    expect(told.error).toBeUndefined();
  });

  it('with a code, or by a signal, is a failure that says so', () => {
    const { code: _, ...open } = ENDING;
    expect(executionOf({ ...ENDING, code: 3 }, undefined)).toMatchObject({
      outcome: ToolOutcome.FAILED,
      error: { code: 'TOOL_FAILED', message: 'the command ended with 3' },
    });
    expect(executionOf({ ...open, kind: 'killed', signal: 'SIGSEGV' }, undefined)).toMatchObject({
      error: { message: 'the command was ended by SIGSEGV' },
    });
  });

  it.each([
    ['killed', 'CANCELLED', ToolOutcome.CANCELLED],
    ['killed', 'SANDBOX_TIMED_OUT', ToolOutcome.TIMED_OUT],
    ['refused', 'SANDBOX_SCOPE_DENIED', ToolOutcome.REFUSED],
    // It ran: that is no refusal.
    ['killed', 'SANDBOX_SCOPE_DENIED', ToolOutcome.FAILED],
    ['killed', 'SANDBOX_FAILED', ToolOutcome.FAILED],
  ] as const)('that was %s with %s has an outcome of its own', (kind, code, outcome) => {
    expect(executionOf({ ...ENDING, kind, fault: fault(code) }, undefined)).toMatchObject({
      outcome,
      error: { code, message: 'why', help: 'what then' },
    });
  });

  it('that never started names no executor, whatever was planned', () => {
    const refused = { ...ENDING, kind: 'refused', fault: fault('SANDBOX_SCOPE_DENIED') } as const;
    expect(executionOf(refused, undefined)).toMatchObject({
      executor: Executor.NONE,
      enforcement: 'not executed',
    });
  });

  it('in a cage that nobody saw says that nothing is known', () => {
    const posture = { ...ENDING.posture, executor: 'none', weaknesses: ['the link broke'] };
    const lost = { ...ENDING, kind: 'killed', posture, fault: fault('SANDBOX_FAILED') } as const;
    expect(executionOf(lost, undefined)).toMatchObject({
      executor: Executor.NONE,
      enforcement: 'unknown: the link broke',
    });
  });
});
