import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { SandboxRequest } from '../model.ts';
import { commandLine, commandWord } from './command-line.ts';
import { FORBIDDEN_FLAGS, jobLimits } from './limits.ts';
import { plan, planHash } from './plan.ts';
import { probe } from './probe.ts';
import { runWindows } from './run.ts';

const request: SandboxRequest = {
  tier: 'B',
  executable: 'tool',
  arguments: ['a b', 'c"d'],
  workspace: String.raw`C:\work`,
  directory: '.',
  environment: { NODE_OPTIONS: 'x', TZ: 'UTC' },
  stdin: new Uint8Array(),
  limits: DEFAULT_LIMITS,
  egress: { mode: 'none' },
  principal: 'me',
  session: 's',
  policySetHash: '',
};
const surroundings = {
  program: String.raw`C:\Program Files\tool.exe`,
  workspace: String.raw`C:\work`,
  systemRoot: String.raw`C:\Windows`,
};

describe('a plan for Windows', () => {
  it('is this job and this process', () => {
    expect(plan(request, surroundings)).toEqual({
      job: {
        limits: {
          LimitFlags: 0x270c,
          PerJobUserTimeLimit100ns: '1200000000',
          ActiveProcessLimit: 256,
          ProcessMemoryLimit: '2147483648',
          JobMemoryLimit: '2147483648',
        },
        uiRestrictions: 0xff,
      },
      process: {
        applicationName: String.raw`C:\Program Files\tool.exe`,
        commandLine: String.raw`"C:\Program Files\tool.exe" "a b" "c\"d"`,
        currentDirectory: String.raw`C:\work`,
        environment: {
          HOME: String.raw`C:\work`,
          LANG: 'C.UTF-8',
          PATH: String.raw`C:\Windows\System32`,
          SystemRoot: String.raw`C:\Windows`,
          TERM: 'dumb',
          TMPDIR: String.raw`C:\work`,
          TZ: 'UTC',
        },
        creationFlags: 0x0808_0404,
      },
      dropped: ['NODE_OPTIONS'],
    });
  });

  it('lets no process leave its job', () => {
    const { LimitFlags } = jobLimits(DEFAULT_LIMITS);
    for (const flag of Object.values(FORBIDDEN_FLAGS)) expect(LimitFlags & flag).toBe(0);
  });

  it('makes one hash for one plan', () => {
    const hash = planHash(plan(request, surroundings));
    expect(planHash(plan({ ...request }, { ...surroundings }))).toBe(hash);
    expect(planHash(plan({ ...request, arguments: [] }, surroundings))).not.toBe(hash);
  });
});

describe('a command line of Windows', () => {
  it.each([
    ['', '""'],
    ['a', '"a"'],
    ['a b', '"a b"'],
    ['a"b', String.raw`"a\"b"`],
    ['a\\', String.raw`"a\\"`],
    ['a\\"b', String.raw`"a\\\"b"`],
    ['a\\b', String.raw`"a\b"`],
    ['" & calc', String.raw`"\" & calc"`],
  ])('has %j as %s', (word, text) => {
    expect(commandWord(word)).toBe(text);
  });

  it.each(['x.bat', 'x.CMD', 'x.bat. ', 'x.cmd...'])('does not start %j', (program) => {
    expect(() => commandLine(program, ['a'])).toThrow(/is a batch file/);
  });

  it('refuses a NUL and what is longer than the system takes', () => {
    expect(() => commandLine('x', ['a\0'])).toThrow(/NUL/);
    expect(() => commandLine('x', ['a'.repeat(40_000)])).toThrow(/longer/);
  });
});

describe('tier C on Windows', () => {
  it('is refused with the reason, and never becomes tier B', () => {
    const ended = runWindows({ ...request, tier: 'C' });
    expect(ended.kind).toBe('refused');
    expect(ended.fault).toMatchObject({ kind: 'UnsupportedPlatform', code: 'SANDBOX_UNAVAILABLE' });
    expect(ended.fault?.reason).toContain('isolates neither files nor network');
    expect(ended.posture.executor).toBe('sandbox_tier_c_windows_job_object');
  });

  it('is not proven anywhere', () => {
    expect(probe()).toEqual({
      isProven: false,
      reason: 'not proven on this machine',
      tierC: 'refused',
    });
  });
});
