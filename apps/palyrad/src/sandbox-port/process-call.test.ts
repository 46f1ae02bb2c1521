import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '@palyra/sandbox';
import { commandOf } from './process-call.ts';

const OWN = {
  workspace: '/home/ann/project',
  folders: ['/home/ann/.config/palyra', '/etc/palyra'],
};
const ARGUMENTS = {
  command: 'git',
  args: ['log'],
  cwd: '.',
  stdin: '',
  env: [],
  tier: 'C',
  hosts: [],
  timeout_ms: 0,
};
const GROUND = { own: OWN, limits: DEFAULT_LIMITS, egress: 'strict' } as const;

const call = (args: object = {}) => ({
  callId: 'call-1',
  tool: 'process.run',
  arguments: { ...ARGUMENTS, ...args },
  principal: 'ann',
  sessionId: 'session-1',
  policySetHash: 'rules-1',
  mayConnect: async () => false,
  onConnection: () => {},
  onOutput: () => {},
  onFileChange: () => Promise.resolve(),
});
const commandIn = (workspace: string, folders: readonly string[]) => () =>
  commandOf(call(), { ...GROUND, own: { workspace, folders } });
const command = (args: object) => commandOf(call(args), GROUND);

describe('a call of process.run', () => {
  it('becomes a command in tier C that nobody but the named hosts can be reached from', () => {
    expect(command({ hosts: ['api.example'], stdin: 'hé' })).toEqual({
      tier: 'C',
      executable: 'git',
      arguments: ['log'],
      workspace: '/home/ann/project',
      directory: '.',
      environment: {},
      stdin: new Uint8Array([0x68, 0xc3, 0xa9]),
      limits: DEFAULT_LIMITS,
      egress: { mode: 'strict', hosts: ['api.example'], secrets: [] },
      principal: 'ann',
      session: 'session-1',
      policySetHash: 'rules-1',
    });
  });

  it('has the variables that it names, and no others', () => {
    const env = [
      { name: 'CI', value: '1' },
      { name: 'NODE_ENV', value: 'test' },
    ];
    expect(command({ env }).environment).toEqual({ CI: '1', NODE_ENV: 'test' });
  });

  it('reaches without a cage what the operator says, and in one whom it names', () => {
    const hosts = ['api.example:443'];
    const egressOf = (args: object, egress: 'none' | 'preflight' | 'strict') =>
      commandOf(call({ hosts, ...args }), { ...GROUND, egress }).egress;
    expect(egressOf({ tier: 'B' }, 'preflight')).toEqual({ mode: 'preflight', hosts });
    expect(egressOf({ tier: 'B' }, 'none')).toEqual({ mode: 'none' });
    // The sandbox refuses this one: it cannot be enforced there.
    expect(egressOf({ tier: 'B' }, 'strict')).toMatchObject({ mode: 'strict' });
    expect(egressOf({ tier: 'C' }, 'none')).toMatchObject({ mode: 'strict', hosts });
  });

  it('may ask for less time than is usual and never for more', () => {
    const usual = DEFAULT_LIMITS.wallTimeMs;
    expect(command({ timeout_ms: 5 }).limits).toEqual({ ...DEFAULT_LIMITS, wallTimeMs: 5 });
    expect(command({ timeout_ms: usual * 2 }).limits.wallTimeMs).toBe(usual);
  });

  it.each([
    ['sub/folder', 'sub/folder'],
    ['/home/ann/project', '.'],
    ['/home/ann/project/sub', 'sub'],
    // For the sandbox to refuse.
    ['/home/ann', '..'],
  ])('starts in %s, which is %s of the workspace', (cwd, directory) => {
    expect(command({ cwd }).directory).toBe(directory);
  });

  it.each([
    { command: 1 },
    { args: 'log' },
    { timeout_ms: 0.5 },
    { shell: true },
    { tier: 'A' },
    { env: {} },
  ])('is refused with other arguments: %j', (args) => {
    expect(() => command(args)).toThrow(
      expect.objectContaining({ code: 'TOOL_ARGUMENTS_INVALID' }),
    );
  });

  it.each([
    ['/', ['/etc/palyra']],
    ['/home/ann', ['/home/ann/.config/palyra']],
    ['/home/ann/.config/palyra', ['/home/ann/.config/palyra']],
    ['/home/ann/.config/palyra/deep', ['/home/ann/.config/palyra']],
  ])('is refused where the workspace %s and files of the gateway lie in each other', (...place) => {
    expect(commandIn(...place)).toThrow(expect.objectContaining({ code: 'SANDBOX_SCOPE_DENIED' }));
  });

  it('runs where a folder of the gateway only begins with the same letters', () => {
    expect(commandIn('/home/ann/pal', ['/home/ann/palyra'])().workspace).toBe('/home/ann/pal');
  });
});
