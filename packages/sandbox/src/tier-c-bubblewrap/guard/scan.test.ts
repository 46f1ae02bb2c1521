import { execFileSync } from 'node:child_process';
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

async function scanned(
  exceptions = DEFAULT_GUARD.exceptions,
  ours: readonly string[] = [],
): Promise<Scanned> {
  const descriptor = openSync(folder, 0o10000000);
  try {
    return await scan(descriptor, { rules: { exceptions }, ours: oursAt(ours) });
  } finally {
    closeSync(descriptor);
  }
}

const oursAt = (paths: readonly string[]) =>
  new Map(paths.map((path) => [path, { kind: 'file' as const }]));

/** As if another command found it used right after this one has asked. */
class OnceOurs extends Map<string, { readonly kind: 'folder' }> {
  #isAsked = false;

  override has(path: string): boolean {
    const isFirst = path === '.vscode' && !this.#isAsked;
    this.#isAsked ||= isFirst;
    return isFirst;
  }
}

const found = async (...from: Parameters<typeof scanned>) => (await scanned(...from)).guarded;
const there = async () => (await found()).filter(({ how }) => !how.startsWith('missing'));
const missing = async () =>
  (await found()).filter(({ how }) => how.startsWith('missing')).map(({ path }) => path);

describe('the guard of a workspace', () => {
  it('finds what is obeyed and what is secret at any depth, and holds the folders above', async () => {
    put('src/app/.env.local', 'src/.npmrc', 'src/app/main.ts', 'tools/.vscode/tasks.json', 'x.key');
    expect(await there()).toEqual([
      { path: 'src', how: 'pinned' },
      { path: 'src/.npmrc', how: 'read-only' },
      { path: 'src/app', how: 'pinned' },
      { path: 'src/app/.env.local', how: 'sealed-file' },
      { path: 'tools', how: 'pinned' },
      { path: 'tools/.vscode', how: 'read-only' },
      { path: 'x.key', how: 'sealed-file' },
    ]);
  });

  it('seals what is obeyed and is no file, so that nobody hears who reads it', async () => {
    execFileSync('mkfifo', [join(folder, '.npmrc')]);
    expect(await there()).toEqual([{ path: '.npmrc', how: 'sealed-file' }]);
  });

  it('leaves samples, certificates and ordinary names alone', async () => {
    put('.env.example', 'cert.pem', 'environment.ts', 'keys.ts', 'README.md');
    expect(await there()).toEqual([]);
  });

  it('hides folders of credentials whole, and secrets inside of what is only write-protected', async () => {
    put('.ssh/config', '.claude/.env');
    expect(await there()).toEqual([
      { path: '.claude', how: 'read-only' },
      { path: '.claude/.env', how: 'sealed-file' },
      { path: '.ssh', how: 'sealed-folder' },
    ]);
  });

  it('finds a secret under its other names, and where a link of a secret name leads', async () => {
    put('.env', 'config/production', 'node_modules/x/y');
    linkSync(join(folder, '.env'), join(folder, 'node_modules/x/other'));
    symlinkSync('config/production', join(folder, '.env.production'));
    expect(await there()).toEqual([
      { path: '.env', how: 'sealed-file' },
      { path: 'config', how: 'pinned' },
      { path: 'config/production', how: 'sealed-file' },
      { path: 'node_modules', how: 'pinned' },
      { path: 'node_modules/x', how: 'pinned' },
      { path: 'node_modules/x/other', how: 'sealed-file' },
    ]);
  });

  it('finds what is obeyed under its other names, and what is in an obeyed folder', async () => {
    put('.npmrc', '.husky/_/run', '.git/HEAD', '.git/config', '.git/hooks/pre-push', 'src/x');
    put('.git/objects/info/alternates', '.git/objects/aa/bb', '.git/refs/heads/main');
    const links = {
      'src/rc': '.npmrc',
      'src/husky': '.husky/_/run',
      config: '.git/config',
      'node_modules/hook': '.git/hooks/pre-push',
      alternates: '.git/objects/info/alternates',
      // What nobody obeys may be shared, as clones of one machine do.
      object: '.git/objects/aa/bb',
    };
    mkdirSync(join(folder, 'node_modules'));
    for (const [name, of] of Object.entries(links)) linkSync(join(folder, of), join(folder, name));
    expect(await there()).toEqual([
      { path: '.git', how: 'read-only' },
      { path: '.husky', how: 'read-only' },
      { path: '.npmrc', how: 'read-only' },
      { path: 'alternates', how: 'read-only' },
      { path: 'config', how: 'read-only' },
      { path: 'node_modules', how: 'pinned' },
      { path: 'node_modules/hook', how: 'read-only' },
      { path: 'src', how: 'pinned' },
      { path: 'src/husky', how: 'read-only' },
      { path: 'src/rc', how: 'read-only' },
    ]);
  });

  it('hides what is secret and obeyed under each name, and what is in a folder of credentials', async () => {
    put('.env', '.ssh/any', '.git/HEAD', 'x.key');
    const links = {
      '.envrc': 'x.key',
      '.npmrc': '.env',
      notes: '.env',
      '.git/copy': '.env',
      any: '.ssh/any',
    };
    for (const [name, of] of Object.entries(links)) linkSync(join(folder, of), join(folder, name));
    linkSync(join(folder, '.ssh/any'), join(folder, '.ssh/other'));
    expect(await there()).toEqual([
      { path: '.env', how: 'sealed-file' },
      { path: '.envrc', how: 'sealed-file' },
      { path: '.git', how: 'read-only' },
      { path: '.git/copy', how: 'sealed-file' },
      { path: '.npmrc', how: 'sealed-file' },
      { path: '.ssh', how: 'sealed-folder' },
      { path: 'any', how: 'sealed-file' },
      { path: 'notes', how: 'sealed-file' },
      { path: 'x.key', how: 'sealed-file' },
    ]);
  });

  it('looks for no other names of a file when it has come across all of them', async () => {
    put('AGENTS.md', 'node_modules/x');
    linkSync(join(folder, 'AGENTS.md'), join(folder, 'CLAUDE.md'));
    mkdirSync(join(folder, 'node_modules', ...Array.from({ length: 70 }, () => 'd')), {
      recursive: true,
    });
    expect(await there()).toEqual([
      { path: 'AGENTS.md', how: 'read-only' },
      { path: 'CLAUDE.md', how: 'read-only' },
    ]);
  });

  it('takes a folder for a repository by what is in it', async () => {
    put('store/HEAD', 'store/objects/x', 'store/refs/x', '.git/HEAD');
    expect(await there()).toEqual([
      { path: '.git', how: 'read-only' },
      { path: 'store', how: 'read-only' },
    ]);
    put('HEAD', 'objects/x', 'refs/x');
    await expect(found()).rejects.toThrow("the workspace is a repository's own folder");
  });

  it('masks what is missing at the top, at its first missing part', async () => {
    put('.github/CODEOWNERS', '.npmrc');
    expect(await missing()).toContain('.envrc');
    expect(await missing()).toContain('.cargo');
    expect(await missing()).toContain('CLAUDE.md');
    expect(await missing()).toContain('palyra.toml');
    expect(await missing()).toContain('.github/workflows');
    expect(await missing()).toContain('.git');
    expect(await missing()).toContain('HEAD');
    expect(await missing()).not.toContain('.npmrc');
    expect(await missing()).not.toContain('.bashrc');
    expect(await there()).toEqual([
      { path: '.github', how: 'pinned' },
      { path: '.npmrc', how: 'read-only' },
    ]);
  });

  it('masks what is missing in a repository below as well, as far as there is room', async () => {
    put('app/.git/HEAD', 'app/.npmrc', 'lib/x');
    expect(await missing()).toContain('app/.envrc');
    expect(await missing()).toContain('app/AGENTS.md');
    expect(await missing()).not.toContain('app/.npmrc');
    expect(await missing()).not.toContain('app/.git');
    expect(await missing()).not.toContain('lib/.envrc');
    expect(await there()).toEqual([
      { path: 'app', how: 'pinned' },
      { path: 'app/.git', how: 'read-only' },
      { path: 'app/.npmrc', how: 'read-only' },
    ]);
    expect((await scanned()).weaknesses).toEqual([]);
    put(...Array.from({ length: 12 }, (_, place) => `many/${place}/.git`));
    expect((await scanned()).weaknesses).toEqual([
      expect.stringMatching(
        /^names that other programs obey can be made in `many\/\d+`, `many\/\d+`, `many\/\d+` and \d more: /,
      ),
    ]);
  });

  it('knows the names in capitals, too', async () => {
    put('deep/Agents.MD', 'deep/.NPMRC', 'deep/.Git/x', 'deep/.ENV');
    expect(await there()).toEqual([
      { path: 'deep', how: 'pinned' },
      { path: 'deep/.ENV', how: 'sealed-file' },
      { path: 'deep/.Git', how: 'read-only' },
      { path: 'deep/.NPMRC', how: 'read-only' },
      { path: 'deep/Agents.MD', how: 'read-only' },
    ]);
  });

  it('says so of orders to agents that are links, which many projects have', async () => {
    put('AGENTS.md');
    symlinkSync('AGENTS.md', join(folder, 'CLAUDE.md'));
    expect(await there()).toEqual([{ path: 'AGENTS.md', how: 'read-only' }]);
    expect((await scanned()).weaknesses).toEqual([
      '`CLAUDE.md` is a link, and a link cannot be guarded',
    ]);
  });

  it('masks what shells obey only in a home, and makes no repository of a repository', async () => {
    put('.profile', '.git/HEAD');
    expect(await missing()).toContain('.bashrc');
    expect(await missing()).not.toContain('.git');
    expect(await missing()).not.toContain('HEAD');
  });

  it('excepts names that it was told to, and takes its own masks for missing', async () => {
    put('.env', '.npmrc', '.envrc');
    const list = await found(['.env', '.mcp.json'], ['.envrc']);
    expect(list).toContainEqual({ path: '.envrc', how: 'missing-file' });
    expect(list.map(({ path }) => path)).not.toContain('.env');
    expect(list.map(({ path }) => path)).not.toContain('.mcp.json');
  });

  it('masks what stands there because of it also where nothing has to be masked any more', async () => {
    put('.git/HEAD', 'HEAD', 'sub/.git/HEAD', 'sub/old', '.ssh/x', 'bare/HEAD', 'bare/x');
    for (const name of ['objects', 'refs']) mkdirSync(join(folder, 'bare', name));
    const ours = ['HEAD', 'sub/old', '.ssh/x', 'bare/x', '.github/gone', 'gone/too'];
    const list = await found([], ours);
    expect(list.filter(({ path }) => [...ours, 'sub'].includes(path))).toEqual([
      { path: 'HEAD', how: 'missing-file' },
      { path: 'sub', how: 'pinned' },
      { path: 'sub/old', how: 'missing-file' },
    ]);
  });

  it('looks again when what it took for its own is found to be somebody’s', async () => {
    put('.vscode/.env');
    const descriptor = openSync(folder, 0o10000000);
    const { guarded } = await scan(descriptor, { rules: DEFAULT_GUARD, ours: new OnceOurs() });
    closeSync(descriptor);
    expect(guarded).toContainEqual({ path: '.vscode/.env', how: 'sealed-file' });
  });

  it.each(['.git', '.vscode', 'deep/.npmrc'])(
    'refuses a workspace in which %s is a link',
    async (path) => {
      put('deep/x');
      symlinkSync('/tmp', join(folder, path));
      await expect(found()).rejects.toThrow('is a link, and a link cannot be guarded');
    },
  );

  it('refuses a folder whose name is no text, and leaves files of such names alone', async () => {
    const odd = Buffer.concat([Buffer.from(join(folder, 'x')), Buffer.of(0xff)]);
    writeFileSync(odd, '');
    expect(await there()).toEqual([]);
    rmSync(odd);
    mkdirSync(odd);
    await expect(found()).rejects.toThrow(
      'the workspace holds a folder whose name is no text: `x\u{fffd}`',
    );
  });

  it.each(['.env', '.git/config'])(
    'refuses %s with a second name among more than it looks through',
    async (path) => {
      put(path, 'node_modules/x');
      linkSync(join(folder, path), join(folder, 'node_modules/y'));
      mkdirSync(join(folder, 'node_modules', ...Array.from({ length: 70 }, () => 'd')), {
        recursive: true,
      });
      await expect(found()).rejects.toThrow('the workspace is deeper than 64 folders');
    },
  );

  it.each([[], ['.env.\u{fffd}']])(
    'refuses a secret whose name is no text, also beside one whose name looks like it: %j',
    async (...others) => {
      put(...others);
      closeSync(
        openSync(Buffer.concat([Buffer.from(join(folder, '.env.')), Buffer.of(0xff)]), 'w'),
      );
      await expect(scanned()).rejects.toThrow(
        'the workspace holds a file whose name is no text: `.env.\u{fffd}`',
      );
    },
  );

  it('refuses a file whose name is no text where a guarded one has a second name', async () => {
    put('.git/config');
    linkSync(
      join(folder, '.git/config'),
      Buffer.concat([Buffer.from(join(folder, 'x')), Buffer.of(0xff)]),
    );
    await expect(found()).rejects.toThrow(
      'the workspace holds a file whose name is no text: `x\u{fffd}`',
    );
  });

  it('refuses a workspace that has more names than it looks through, and says what to do', async () => {
    put('a', 'b', 'c/d');
    const descriptor = openSync(folder, 0o10000000);
    const options = { rules: DEFAULT_GUARD, ours: oursAt([]) };
    await expect(scan(descriptor, { ...options, mostNames: 3 })).rejects.toThrow(
      expect.objectContaining({
        code: 'SANDBOX_SCOPE_DENIED',
        message: 'the workspace holds more than 3 names',
        help: expect.stringMatching(/^choose a smaller folder/),
      }),
    );
    closeSync(descriptor);
  });

  it('refuses a workspace that is too deep to be looked through', async () => {
    mkdirSync(join(folder, ...Array.from({ length: 70 }, () => 'd')), { recursive: true });
    await expect(found()).rejects.toThrow('the workspace is deeper than 64 folders');
  });
});
