import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { SandboxRequest } from '../model.ts';
import { numberDescriptors, optionBytes } from './descriptors.ts';
import { type Surroundings, plan, planHash, wordText } from './plan.ts';

const REQUEST: SandboxRequest = {
  tier: 'C',
  executable: 'git',
  arguments: ['status'],
  workspace: '/srv/work',
  directory: 'sub',
  environment: { HOME: '/workspace' },
  stdin: new Uint8Array(),
  limits: DEFAULT_LIMITS,
  egress: { mode: 'strict', hosts: [], secrets: [] },
  principal: 'p',
  session: 's',
  policySetHash: '',
};

const SURROUNDINGS: Surroundings = {
  system: {
    roots: [
      { kind: 'bind', path: '/usr' },
      { kind: 'link', path: '/bin', target: 'usr/bin' },
    ],
    etc: ['/etc/ssl/certs'],
  },
  guarded: [
    { path: '.git', how: 'read-only' },
    { path: 'a', how: 'pinned' },
    { path: 'a/.env', how: 'sealed-file' },
  ],
  weaknesses: [],
  filterHash: 'f'.repeat(64),
  workspaceAt: '/workspace',
  hosts: [],
  guardsBy: 'bwrap',
  program: '/usr/bin/git',
};

describe('a plan', () => {
  it('is exactly this', () => {
    const { options } = plan(REQUEST, SURROUNDINGS);
    expect(options.map(wordText).join(' ')).toBe(
      [
        '--unshare-user',
        '--unshare-pid',
        '--unshare-ipc',
        '--unshare-uts',
        '--unshare-cgroup-try',
        '--unshare-net',
        '--disable-userns',
        '--assert-userns-disabled',
        '--uid 61100',
        '--gid 61100',
        '--cap-drop ALL',
        '--die-with-parent',
        '--new-session',
        '--clearenv',
        '--hostname sandbox',
        '--ro-bind /usr /usr',
        '--symlink usr/bin /bin',
        '--ro-bind-fd <etc> /etc',
        '--ro-bind /etc/ssl/certs /etc/ssl/certs',
        '--proc /proc',
        '--dev /dev',
        '--ro-bind /proc/sys /proc/sys',
        '--ro-bind /dev/null /proc/cmdline',
        '--ro-bind /dev/null /proc/kallsyms',
        '--ro-bind /dev/null /proc/keys',
        '--ro-bind-fd <nothing> /proc/1',
        '--size 268435456',
        '--tmpfs /dev/shm',
        '--remount-ro /dev',
        '--size 268435456',
        '--tmpfs /tmp',
        '--dir /tmp/home',
        '--perms 0555',
        '--ro-bind-data <starter> /.start',
        '--bind-fd <workspace> /workspace',
        '--ro-bind-fd <guard:0> /workspace/.git',
        '--bind-fd <guard:1> /workspace/a',
        '--ro-bind-fd <guard:2> /workspace/a/.env',
        '--remount-ro /',
        '--chdir /workspace',
        '--seccomp <seccomp>',
        '--json-status-fd <status>',
      ].join(' '),
    );
  });

  it('shares the network only when nothing is enforced', () => {
    const words = (mode: 'none' | 'preflight') =>
      plan({ ...REQUEST, egress: { mode, hosts: [] } }, SURROUNDINGS).options;
    expect(words('none')).not.toContain('--unshare-net');
    expect(words('preflight')).not.toContain('--unshare-net');
  });

  it('has texts in UTF-8, unless the request names a language', () => {
    const variables = (environment: SandboxRequest['environment']) =>
      plan({ ...REQUEST, environment }, SURROUNDINGS).command.environment;
    expect(variables({})).toMatchObject({ LC_CTYPE: 'C.UTF-8' });
    expect(variables({})).not.toHaveProperty('LANG');
    expect(variables({ LANG: 'C' })).toMatchObject({ LANG: 'C' });
    expect(variables({ LANG: 'C' })).not.toHaveProperty('LC_CTYPE');
  });

  it('has one hash, which everything in it changes', () => {
    const hash = planHash(plan(REQUEST, SURROUNDINGS));
    expect(planHash(plan({ ...REQUEST }, { ...SURROUNDINGS }))).toBe(hash);
    const others = [
      planHash(plan({ ...REQUEST, arguments: ['push'] }, SURROUNDINGS)),
      planHash(plan({ ...REQUEST, directory: '.' }, SURROUNDINGS)),
      planHash(plan({ ...REQUEST, environment: {} }, SURROUNDINGS)),
      planHash(plan({ ...REQUEST, limits: { ...DEFAULT_LIMITS, outputBytes: 1 } }, SURROUNDINGS)),
      planHash(plan({ ...REQUEST, egress: { mode: 'none' } }, SURROUNDINGS)),
      planHash(plan(REQUEST, { ...SURROUNDINGS, guarded: [] })),
      planHash(plan(REQUEST, { ...SURROUNDINGS, filterHash: '0'.repeat(64) })),
      planHash(plan(REQUEST, { ...SURROUNDINGS, program: '/usr/local/bin/git' })),
    ];
    expect(new Set([hash, ...others]).size).toBe(9);
  });

  it('is given to bwrap with a number for each descriptor, and on no command line', () => {
    const made = plan(REQUEST, SURROUNDINGS);
    const numbers = numberDescriptors(made);
    expect([...numbers]).toEqual([
      ['etc', 8],
      ['nothing', 9],
      ['starter', 10],
      ['workspace', 11],
      ['guard:0', 12],
      ['guard:1', 13],
      ['guard:2', 14],
      ['seccomp', 15],
      ['status', 16],
    ]);
    expect(optionBytes(made.options, numbers).toString()).toContain('--seccomp\x0015\x00');
    expect(() => optionBytes(['a\0b'], numbers)).toThrow('an option holds a NUL');
  });
});
