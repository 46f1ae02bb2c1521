import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { SandboxRequest } from '../model.ts';
import { isObeyed, isSecret } from '../tier-c-bubblewrap/guard/rules.ts';
import { guardPatterns } from './guard.ts';
import { type SeatbeltSurroundings, plan, planHash } from './plan.ts';
import { attempts, probe } from './probe.ts';
import { familyOf, parseProcesses } from './process-table.ts';
import { profileText } from './profile-text.ts';
import { runSeatbelt } from './run.ts';

const request: SandboxRequest = {
  tier: 'C',
  executable: 'cat',
  arguments: ["it's", '$(id)', '--bind'],
  workspace: '/Users/me/work',
  directory: '.',
  environment: { MINE: 'a"b' },
  stdin: new Uint8Array(),
  limits: DEFAULT_LIMITS,
  egress: { mode: 'strict', hosts: ['a.example'], secrets: [] },
  principal: 'me',
  session: 's',
  policySetHash: '',
};
const surroundings: SeatbeltSurroundings = {
  workspace: '/Users/me/work',
  scratch: '/private/var/folders/xy/T/palyra-1',
  program: '/bin/cat',
  proxyPort: 49_152,
};
const inFolder = (workspace: string) => plan(request, { ...surroundings, workspace }).profile;
const golden = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

describe('a profile for macOS', () => {
  it('with a proxy is, letter for letter, the one that was reviewed', () => {
    expect(plan(request, surroundings).profile).toBe(golden('strict-with-hosts.golden.sb'));
  });

  it('denies by default, and reads no file of the system wholesale', () => {
    const { profile, arguments: words } = plan(request, surroundings);
    expect(profile.startsWith('(version 1)\n(deny default)\n')).toBe(true);
    expect(profile).not.toMatch(
      /\(import|system\.sb|\(allow default|\(allow file-read\*\)|"\/tmp"\)\)/,
    );
    expect(profile).not.toMatch(/subpath "\/(?:private|Users|Library|tmp|etc|var)?"/);
    expect(words).toEqual(['-p', profile, '/bin/sh']);
  });

  it('lets nobody out but to the proxy of this command, and nobody at all without hosts', () => {
    const strict = plan(request, surroundings).profile;
    expect(strict.match(/allow network.*/g)).toEqual([
      'allow network-outbound (remote ip "localhost:49152"))',
    ]);
    const closed = plan(
      { ...request, egress: { mode: 'strict', hosts: [], secrets: [] } },
      surroundings,
    ).profile;
    expect(closed).not.toContain('allow network');
    expect(closed).toContain('(deny network*)');
    for (const proxyPort of [undefined, 0, 70_000, 1.5]) {
      expect(() => plan(request, { ...surroundings, proxyPort })).toThrow(/no host can be reached/);
    }
  });

  it('refuses apple events, opening applications, launchd, the keychain and trustd after every rule that allows', () => {
    const { profile } = plan(request, surroundings);
    const lastAllowed = profile.lastIndexOf('(allow');
    for (const denied of [
      '(deny appleevent-send)',
      '(deny lsopen)',
      '(deny job-creation)',
      '"/usr/bin/open"',
      '"/usr/bin/osascript"',
      '"/bin/launchctl"',
      '"/usr/bin/security"',
      '"com.apple.trustd"',
      '"com.apple.SecurityServer"',
      '"com.apple.trustd.agent"',
      '"com.apple.tccd"',
    ]) {
      expect(profile.lastIndexOf(denied)).toBeGreaterThan(lastAllowed);
    }
  });
});

describe('a path in a profile', () => {
  it.each([
    ['/Users/me/a"b', String.raw`"/Users/me/a\"b"`],
    ['/Users/me/a\\b', String.raw`"/Users/me/a\\b"`],
    ['/Users/me/a\\"b', String.raw`"/Users/me/a\\\"b"`],
    ['/Users/me/a")) (allow default', String.raw`"/Users/me/a\")) (allow default"`],
    ['/Users/me/(b) ; c', '"/Users/me/(b) ; c"'],
    ['/Users/me/#"x', String.raw`"/Users/me/#\"x"`],
  ])('%j is written as %s', (path, text) => {
    expect(profileText(path)).toBe(text);
    expect(inFolder(path)).toContain(`(subpath ${text})`);
  });

  it('cannot end its text early: outside of texts every path gives the same profile', () => {
    const outline = (profile: string) => profile.replaceAll(/"(?:\\.|[^"\\])*"/gs, '""');
    const plain = outline(inFolder('/Users/me/work'));
    for (const name of [
      'a"b',
      'a\\',
      'a\\"',
      '")(allow default)("',
      "'",
      ';',
      '#|',
      '|#',
      '\\n',
      '${x}',
    ]) {
      expect(outline(inFolder(`/Users/me/${name}`))).toBe(plain);
    }
  });

  it.each(['a\nb', 'a\rb', 'a\0b', 'a\u001Bb', 'a\u007Fb', 'a\u2028b', 'a\u202Eb', 'a\uD800b'])(
    'is refused with %j in it',
    (name) => {
      expect(() => inFolder(`/Users/me/${name}`)).toThrow(/cannot be named in a sandbox profile/);
    },
  );

  it.each(['relative', '/', '/Users/me/../you', '/Users/me/', '/Users//me', '/Users/./me'])(
    'is refused when it is not in its only spelling: %j',
    (path) => {
      expect(() => inFolder(path)).toThrow(/only spelling/);
    },
  );
});

describe('guarded names on macOS', () => {
  const patterns = guardPatterns();
  const fits = (list: readonly string[], path: string) =>
    list.some((pattern) => new RegExp(pattern).test(path));

  it.each([
    '.git',
    '.GIT/hooks/pre-commit',
    'sub/.Git/config',
    '.envrc',
    '.NPMRC',
    '.bashrc',
    '.cargo/config.toml',
    '.Cargo/Config.toml',
    '.github/workflows/x.yml',
    '.vscode/tasks.json',
    '.palyra/x',
    '.claude/settings.json',
    '.mcp.json',
    '.husky/pre-commit',
  ])('%j cannot be written, there or not, in capitals or not', (path) => {
    expect(fits(patterns.obeyed, `/Users/me/work/${path}`)).toBe(true);
  });

  it('cannot be carried in with the folder that holds them', () => {
    for (const name of ['.github', '.config', '.CONFIG']) {
      expect(fits(patterns.parents, `/Users/me/work/${name}`)).toBe(true);
    }
  });

  it.each([
    '.env',
    '.env.local',
    '.env.example',
    'id_rsa',
    'id_ed25519_sk',
    'server.key',
    'x.p12',
    'key.pem',
    'my-private1.pem',
    '.netrc',
    '.ssh',
    'credentials.json',
    'service-account-1.json',
    'environment',
    'keys.txt',
    'monkey',
    '.environment',
    'README.md',
    'package.json',
    'cert.pem',
  ])('%j is hidden exactly where Linux hides it', (name) => {
    const path = `/Users/me/work/${name}`;
    const isHidden = fits(patterns.secret, path) && !fits(patterns.samples, path);
    expect(isHidden).toBe(isSecret(name));
    expect(isObeyed('', name)).toBe(fits(patterns.obeyed, path));
  });

  it('leave ordinary names alone', () => {
    for (const path of [
      'src/main.c',
      '.gitignore',
      'git',
      'envrc',
      'cargo/config.toml',
      '.github/x',
    ]) {
      expect(fits([...patterns.obeyed, ...patterns.secret], `/Users/me/work/${path}`)).toBe(false);
    }
  });
});

describe('the line for the shell', () => {
  it('holds every word in quotes', () => {
    const { script } = plan(request, surroundings);
    expect(script.slice(script.indexOf('cd --'))).toBe(
      String.raw`cd -- '/Users/me/work' && export HOME='/private/var/folders/xy/T/palyra-1/home' && export LANG='C.UTF-8' && export MINE='a"b' && export PATH='/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin' && export SHELL='/bin/sh' && export TERM='dumb' && export TMPDIR='/private/var/folders/xy/T/palyra-1' && exec '/bin/cat' 'it'\''s' '$(id)' '--bind' <&3 3<&-; } || exit 126` +
        '\n',
    );
  });

  it('makes one hash for one plan', () => {
    const hash = planHash(plan(request, surroundings));
    expect(planHash(plan({ ...request }, { ...surroundings }))).toBe(hash);
    expect(planHash(plan({ ...request, arguments: [] }, surroundings))).not.toBe(hash);
    expect(planHash(plan(request, { ...surroundings, proxyPort: 1 }))).not.toBe(hash);
  });
});

describe('seatbelt on another machine', () => {
  const watch = {
    signal: new AbortController().signal,
    onOutput: () => {},
    onConnection: () => {},
    mayConnect: async () => false,
  };

  it('is refused, and nothing weaker takes its place', async () => {
    const order = { request, surroundings, platform: 'linux', standing: 'proven' } as const;
    const ended = await runSeatbelt(order, watch);
    expect([ended.kind, ended.fault?.kind]).toEqual(['refused', 'UnsupportedPlatform']);
    expect(ended.posture.executor).toBe('sandbox_tier_c_macos_sandbox_exec');
  });

  it('does not run on a Mac either before it was proven there', async () => {
    const order = { request, surroundings, platform: 'darwin', standing: 'unproven' } as const;
    const ended = await runSeatbelt(order, watch);
    expect(ended.fault).toMatchObject({ kind: 'UnsupportedPlatform' });
    expect(ended.fault?.reason).toContain('not proven on this machine');
  });

  it('is not proven, and no attempt is made', async () => {
    const run = () => Promise.reject(new Error('nothing may run'));
    const verdict = await probe({ platform: 'linux', canary: '/x', port: 1, run });
    expect(verdict).toEqual({
      isProven: false,
      reason: 'not proven on this machine',
      observed: [],
    });
  });

  it('is proven only when every attempt came out as it must', async () => {
    const parts = { platform: 'darwin', canary: '/x', port: 1 } as const;
    const expected = new Map(
      attempts(parts).map(({ words, expected: is }) => [words.join(' '), is]),
    );
    const asItMust = (words: readonly string[]) =>
      Promise.resolve({
        kind: 'exited',
        code: expected.get(words.join(' ')) === 'works' ? 0 : 1,
      } as const);
    expect((await probe({ ...parts, run: asItMust })).isProven).toBe(true);
    const open = () => Promise.resolve({ kind: 'exited', code: 0 } as const);
    const shut = () => Promise.resolve({ kind: 'refused' } as const);
    expect((await probe({ ...parts, run: open })).reason).toContain('a file outside is read');
    expect((await probe({ ...parts, run: shut })).reason).toContain('a program runs');
  });
});

describe('the table of processes', () => {
  const rows = parseProcesses(
    '  10 1 10 2048\n 11 10 11 1\n12 11 12 1\n13 1 10 1\n14 1 14 1\nnonsense\n',
  );

  it('tells the family of a process: its group, and whoever descends from it', () => {
    expect(familyOf(rows, 10).map(({ pid }) => pid)).toEqual([10, 11, 12, 13]);
    expect(rows[0]?.memoryBytes).toBe(2048 * 1024);
  });
});
