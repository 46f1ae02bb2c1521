import { describe, expect, it } from 'vitest';
import { readEnvironment } from './environment.ts';

const DECIDING = [
  'LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES GLIBC_TUNABLES GCONV_PATH PATH',
  'Path HOME IFS ENV BASH_ENV BASH_FUNC_ls SHELLOPTS PS4 PROMPT_COMMAND',
  'NODE_OPTIONS NODE_PATH NODE_TLS_REJECT_UNAUTHORIZED PYTHONPATH PYTHONSTARTUP',
  'PYTHONHOME PERL5OPT PERL5LIB PERLLIB PERL5DB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS',
  '_JAVA_OPTIONS JDK_JAVA_OPTIONS GOFLAGS GIT_SSH_COMMAND GIT_DIR GIT_CONFIG_COUNT',
  'SSH_AUTH_SOCK EDITOR PAGER LESSOPEN MAKEFILES MAKEFLAGS CC RUSTC_WRAPPER CARGO_HOME',
  'npm_config_registry http_proxy HTTPS_PROXY ALL_PROXY no_proxy SSL_CERT_FILE',
  'GOPROXY PALYRA_HOME DOTNET_STARTUP_HOOKS CLASSPATH TMPDIR',
].join(' ');

const one = (name: string, value = 'x') => readEnvironment([{ name, value }]);

describe('variables of a process', () => {
  it('are sorted by name, values as they are', () => {
    const given = [
      { name: 'b', value: ' two\n' },
      { name: 'NODE_ENV', value: 'test' },
      { name: 'B', value: '' },
    ];
    expect(readEnvironment(given)).toEqual({
      kind: 'read',
      value: [
        { name: 'B', value: '' },
        { name: 'NODE_ENV', value: 'test' },
        { name: 'b', value: ' two\n' },
      ],
    });
  });

  it.each(['', '1A', 'A-B', 'A B', 'A=B', 'Ä', 'A\0', 'x'.repeat(129)])(
    'are refused with the name %j',
    (name) => {
      expect(one(name)).toMatchObject({ kind: 'unreadable' });
    },
  );

  it.each(DECIDING.split(' '))('never set %s', (name) => {
    expect(one(name)).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('decides what is run'),
    });
  });

  it.each([
    'NODE_ENV',
    'CI',
    'LANG',
    'LC_ALL',
    'TZ',
    'DEBUG',
    'PYTHONUNBUFFERED',
    'GOOS',
    'CFLAGS',
  ])('may set %s', (name) => {
    expect(one(name)).toMatchObject({ kind: 'read' });
  });

  it('are refused twice by one name, and with a value that no process can be given', () => {
    const twice = readEnvironment([
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ]);
    expect(twice).toMatchObject({ kind: 'unreadable', reason: 'name `A` twice' });
    expect(one('A', 'a\0b')).toMatchObject({ kind: 'unreadable' });
    expect(one('A', '\uD800')).toMatchObject({ kind: 'unreadable' });
  });
});
