import {
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_GUARD } from './rules.ts';
import { type Scanned, scan } from './scan.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palyra-scan-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
}

function scanned(exceptions = DEFAULT_GUARD.exceptions, ours: readonly string[] = []): Scanned {
  const descriptor = openSync(folder, 0o10000000);
  try {
    return scan(descriptor, { rules: { exceptions }, ours: new Set(ours) });
  } finally {
    closeSync(descriptor);
  }
}

const found = (...from: Parameters<typeof scanned>) => scanned(...from).guarded;
const there = () => found().filter(({ how }) => !how.startsWith('missing'));
const missing = () =>
  found()
    .filter(({ how }) => how.startsWith('missing'))
    .map(({ path }) => path);

describe('the guard of a workspace', () => {
  it('finds what is obeyed and what is secret at any depth, and holds the folders above', () => {
    put('src/app/.env.local', 'src/.npmrc', 'src/app/main.ts', 'tools/.vscode/tasks.json', 'x.key');
    expect(there()).toEqual([
      { path: 'src', how: 'pinned' },
      { path: 'src/.npmrc', how: 'read-only' },
      { path: 'src/app', how: 'pinned' },
      { path: 'src/app/.env.local', how: 'sealed-file' },
      { path: 'tools', how: 'pinned' },
      { path: 'tools/.vscode', how: 'read-only' },
      { path: 'x.key', how: 'sealed-file' },
    ]);
  });

  it('leaves samples, certificates and ordinary names alone', () => {
    put('.env.example', 'cert.pem', 'environment.ts', 'keys.ts', 'README.md');
    expect(there()).toEqual([]);
  });

  it('hides folders of credentials whole, and secrets inside of what is only write-protected', () => {
    put('.ssh/config', '.claude/.env');
    expect(there()).toEqual([
      { path: '.claude', how: 'read-only' },
      { path: '.claude/.env', how: 'sealed-file' },
      { path: '.ssh', how: 'sealed-folder' },
    ]);
  });

  it('finds a secret under its other names, and where a link of a secret name leads', () => {
    put('.env', 'config/production', 'node_modules/x/y');
    linkSync(join(folder, '.env'), join(folder, 'node_modules/x/other'));
    symlinkSync('config/production', join(folder, '.env.production'));
    expect(there()).toEqual([
      { path: '.env', how: 'sealed-file' },
      { path: 'config', how: 'pinned' },
      { path: 'config/production', how: 'sealed-file' },
      { path: 'node_modules', how: 'pinned' },
      { path: 'node_modules/x', how: 'pinned' },
      { path: 'node_modules/x/other', how: 'sealed-file' },
    ]);
  });

  it('takes a folder for a repository by what is in it', () => {
    put('store/HEAD', 'store/objects/x', 'store/refs/x', '.git/HEAD');
    expect(there()).toEqual([
      { path: '.git', how: 'read-only' },
      { path: 'store', how: 'read-only' },
    ]);
    put('HEAD', 'objects/x', 'refs/x');
    expect(found).toThrow("the workspace is a repository's own folder");
  });

  it('masks what is missing at the top, at its first missing part', () => {
    put('.github/CODEOWNERS', '.npmrc');
    expect(missing()).toContain('.envrc');
    expect(missing()).toContain('.cargo');
    expect(missing()).toContain('CLAUDE.md');
    expect(missing()).toContain('palyra.toml');
    expect(missing()).toContain('.github/workflows');
    expect(missing()).toContain('.git');
    expect(missing()).toContain('HEAD');
    expect(missing()).not.toContain('.npmrc');
    expect(missing()).not.toContain('.bashrc');
    expect(there()).toEqual([
      { path: '.github', how: 'pinned' },
      { path: '.npmrc', how: 'read-only' },
    ]);
  });

  it('masks what is missing in a repository below as well, as far as there is room', () => {
    put('app/.git/HEAD', 'app/.npmrc', 'lib/x');
    expect(missing()).toContain('app/.envrc');
    expect(missing()).toContain('app/AGENTS.md');
    expect(missing()).not.toContain('app/.npmrc');
    expect(missing()).not.toContain('app/.git');
    expect(missing()).not.toContain('lib/.envrc');
    expect(there()).toEqual([
      { path: 'app', how: 'pinned' },
      { path: 'app/.git', how: 'read-only' },
      { path: 'app/.npmrc', how: 'read-only' },
    ]);
    expect(scanned().weaknesses).toEqual([]);
    put(...Array.from({ length: 12 }, (_, place) => `many/${place}/.git`));
    expect(scanned().weaknesses).toEqual([
      expect.stringMatching(
        /^names that other programs obey can be made in `many\/\d+`, `many\/\d+`, `many\/\d+` and \d more: /,
      ),
    ]);
  });

  it('knows the names in capitals, too', () => {
    put('deep/Agents.MD', 'deep/.NPMRC', 'deep/.Git/x', 'deep/.ENV');
    expect(there()).toEqual([
      { path: 'deep', how: 'pinned' },
      { path: 'deep/.ENV', how: 'sealed-file' },
      { path: 'deep/.Git', how: 'read-only' },
      { path: 'deep/.NPMRC', how: 'read-only' },
      { path: 'deep/Agents.MD', how: 'read-only' },
    ]);
  });

  it('says so of orders to agents that are links, which many projects have', () => {
    put('AGENTS.md');
    symlinkSync('AGENTS.md', join(folder, 'CLAUDE.md'));
    expect(there()).toEqual([{ path: 'AGENTS.md', how: 'read-only' }]);
    expect(scanned().weaknesses).toEqual(['`CLAUDE.md` is a link, and a link cannot be guarded']);
  });

  it('masks what shells obey only in a home, and makes no repository of a repository', () => {
    put('.profile', '.git/HEAD');
    expect(missing()).toContain('.bashrc');
    expect(missing()).not.toContain('.git');
    expect(missing()).not.toContain('HEAD');
  });

  it('excepts names that it was told to, and takes its own masks for missing', () => {
    put('.env', '.npmrc', '.envrc');
    const list = found(['.env', '.mcp.json'], ['.envrc']);
    expect(list).toContainEqual({ path: '.envrc', how: 'missing-file' });
    expect(list.map(({ path }) => path)).not.toContain('.env');
    expect(list.map(({ path }) => path)).not.toContain('.mcp.json');
  });

  it.each(['.git', '.vscode', 'deep/.npmrc'])(
    'refuses a workspace in which %s is a link',
    (path) => {
      put('deep/x');
      symlinkSync('/tmp', join(folder, path));
      expect(found).toThrow('is a link, and a link cannot be guarded');
    },
  );

  it('refuses a folder whose name is no text, and leaves files of such names alone', () => {
    const odd = Buffer.concat([Buffer.from(join(folder, 'x')), Buffer.of(0xff)]);
    writeFileSync(odd, '');
    expect(there()).toEqual([]);
    rmSync(odd);
    mkdirSync(odd);
    expect(found).toThrow('the workspace holds a folder whose name is no text: `x\u{fffd}`');
  });

  it('refuses a secret that has a second name among more than it looks through', () => {
    put('.env', 'node_modules/x');
    linkSync(join(folder, '.env'), join(folder, 'node_modules/y'));
    mkdirSync(join(folder, 'node_modules', ...Array.from({ length: 70 }, () => 'd')), {
      recursive: true,
    });
    expect(found).toThrow('the workspace is deeper than 64 folders');
  });

  it('refuses a workspace that has more names than it looks through, and says what to do', () => {
    put('a', 'b', 'c/d');
    const descriptor = openSync(folder, 0o10000000);
    const options = { rules: DEFAULT_GUARD, ours: new Set<string>() };
    expect(() => scan(descriptor, { ...options, mostNames: 3 })).toThrow(
      expect.objectContaining({
        code: 'SANDBOX_SCOPE_DENIED',
        message: 'the workspace holds more than 3 names',
        help: expect.stringMatching(/^choose a smaller folder/),
      }),
    );
    closeSync(descriptor);
  });

  it('refuses a workspace that is too deep to be looked through', () => {
    mkdirSync(join(folder, ...Array.from({ length: 70 }, () => 'd')), { recursive: true });
    expect(found).toThrow('the workspace is deeper than 64 folders');
  });
});
