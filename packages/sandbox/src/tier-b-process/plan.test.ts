import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { SandboxRequest } from '../model.ts';
import { filterEnvironment } from './environment.ts';
import { type Surroundings, plan, planHash } from './plan.ts';

const request: SandboxRequest = {
  tier: 'B',
  executable: 'cat',
  arguments: ["it's", '$(id)'],
  workspace: '/home/me/work',
  directory: '.',
  environment: { LD_PRELOAD: '/x.so', TZ: 'UTC', MINE: 'x' },
  stdin: new Uint8Array(),
  limits: DEFAULT_LIMITS,
  egress: { mode: 'none' },
  principal: 'me',
  session: 's',
  policySetHash: '',
};
const surroundings: Surroundings = {
  way: 'pid-namespace',
  program: '/usr/bin/cat',
  calledAs: 'cat',
  environment: [],
  runAs: { uid: 1000, gid: 1000 },
  others: 0,
};

describe('a plan of tier B', () => {
  it('is these words and this line', () => {
    const made = plan(request, surroundings);
    expect(made.options.join(' ')).toBe(
      '--unshare-user --unshare-pid --disable-userns --cap-drop ALL --die-with-parent --new-session --dev-bind / / --proc /proc --json-status-fd 10',
    );
    expect(made.script.slice(made.script.indexOf('export'))).toBe(
      String.raw`export HOME='/nonexistent' && export LANG='C.UTF-8' && export PATH='/usr/local/bin:/usr/bin:/bin' && export TERM='dumb' && export TMPDIR='/tmp' && export TZ='UTC' && exec /proc/self/fd/8 /proc/self/fd/7 'cat' 'it'\''s' '$(id)' <&3 3<&-; } || exit 126` +
        '\n',
    );
    expect(made.dropped).toEqual(['LD_PRELOAD', 'MINE']);
  });

  it('is the same for the same request, and another for any other', () => {
    const hash = planHash(plan(request, surroundings));
    expect(planHash(plan({ ...request }, { ...surroundings }))).toBe(hash);
    const others = [
      plan({ ...request, arguments: ["it's"] }, surroundings),
      plan({ ...request, directory: 'sub' }, surroundings),
      plan({ ...request, limits: { ...DEFAULT_LIMITS, wallTimeMs: 11 } }, surroundings),
      plan(request, { ...surroundings, way: 'process-group' }),
      plan(request, { ...surroundings, program: '/usr/local/bin/cat' }),
      plan(request, { ...surroundings, runAs: undefined }),
    ];
    expect(new Set([hash, ...others.map(planHash)]).size).toBe(7);
  });

  it('counts the processes of the user that are there already where the kernel does', () => {
    const made = plan(request, { ...surroundings, way: 'process-group', others: 100 });
    expect(made.options).toEqual([]);
    expect(made.script).toMatch(/ulimit -u 3\d\d /);
  });
});

describe('the environment of tier B', () => {
  it.each([
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'NODE_PATH',
    'PYTHONSTARTUP',
    'PYTHONPATH',
    'GIT_SSH_COMMAND',
    'BASH_ENV',
    'ENV',
    'IFS',
    'PERL5OPT',
    'PERL5LIB',
    'RUBYOPT',
    'JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS',
    'http_proxy',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'PATH',
    'HOME',
    'TMPDIR',
    'PAGER',
    'SSH_AUTH_SOCK',
    'LESSOPEN',
    'GCONV_PATH',
    'OPENSSL_CONF',
    'PALYRA_SANDBOX',
  ])('never has the %s of a request, even where it is listed', (name) => {
    const { passed, dropped } = filterEnvironment({ [name]: 'evil' }, [name]);
    expect(Object.values(passed)).not.toContain('evil');
    expect(dropped).toEqual([name]);
  });

  it('has what is on the list, and what the operator adds', () => {
    const asked = { LANG: 'cs_CZ.UTF-8', LC_TIME: 'C', NO_COLOR: '1', BUILD_ID: '7', OTHER: 'x' };
    const { passed, dropped } = filterEnvironment(asked, ['BUILD_ID']);
    expect(passed).toMatchObject({
      LANG: 'cs_CZ.UTF-8',
      LC_TIME: 'C',
      NO_COLOR: '1',
      BUILD_ID: '7',
    });
    expect(dropped).toEqual(['OTHER']);
  });
});
