import { execFileSync } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtempDisposable,
  realpath,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { CallPreviewSchema, NamedFileSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { demandShownFiles } from '../as-shown.ts';
import { namedFiles } from './named-files.ts';

async function opened() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'palyra-named-'));
  const root = await realpath(folder.path);
  const workspace = join(root, 'workspace');
  await mkdir(join(workspace, 'sub'), { recursive: true });
  await writeFile(join(root, 'secret'), 'secret');
  await writeFile(join(workspace, 'build.sh'), 'echo one\n');
  await symlink('../secret', join(workspace, 'out'));
  await symlink('build.sh', join(workspace, 'link.sh'));
  await writeFile(join(workspace, 'huge'), '');
  await truncate(join(workspace, 'huge'), 2 ** 40);
  const named = (args: object) =>
    namedFiles({ command: 'sh', args: [], cwd: '.', ...args }, workspace);
  const names = (args: object) => named(args).map(({ name }) => name);
  const why = (args: object) => named(args).map(({ name, notBound }) => [name, notBound]);
  return {
    workspace,
    named,
    names,
    why,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('the files that a command names', () => {
  it('are those of the workspace, as program or argument, from the folder that it runs in', async () => {
    await using at = await opened();
    expect(at.names({ command: './build.sh', args: ['x', '-c', ''] })).toEqual(['./build.sh']);
    expect(at.names({ args: ['build.sh', 'build.sh', 'link.sh'] })).toEqual([
      'build.sh',
      'link.sh',
    ]);
    expect(at.names({ args: ['../build.sh', 'build.sh'], cwd: 'sub' })).toEqual(['../build.sh']);
    expect(at.names({ args: [join(at.workspace, 'build.sh')] })).toHaveLength(1);
  });

  it('are those that a program in a cage finds by that name', async () => {
    await using at = await opened();
    expect(at.names({ args: ['/workspace/build.sh'] })).toEqual(['/workspace/build.sh']);
    expect(at.names({ command: '/workspace/./sub/../build.sh' })).toHaveLength(1);
    expect(at.names({ args: ['../../workspace/build.sh'], cwd: 'sub' })).toHaveLength(1);
    expect(at.names({ args: ['--file=/workspace/build.sh', '/workspace'] })).toEqual([
      '/workspace',
      '/workspace/build.sh',
    ]);
    expect(at.why({ args: ['/workspace/out'] })).toEqual([
      ['/workspace/out', 'it leads out of the workspace'],
    ]);
    expect(at.names({ args: ['/workspace/../secret', '/workspaces/build.sh'] })).toEqual([]);
  });

  it('are found as the kernel goes, through links and back up from where they led', async () => {
    await using at = await opened();
    await mkdir(join(at.workspace, 'a/b'), { recursive: true });
    await writeFile(join(at.workspace, 'a/build.sh'), 'echo inner\n');
    await symlink('a/b', join(at.workspace, 'deep'));
    await symlink('/workspace/a/build.sh', join(at.workspace, 'abs.sh'));
    await symlink('/workspace/a', join(at.workspace, 'dir'));
    await symlink('round', join(at.workspace, 'round'));
    const inner = 'at a/build.sh ';
    for (const name of [
      'deep/../build.sh',
      'abs.sh',
      'dir/build.sh',
      '/workspace/dir/b/../build.sh',
      '/proc/self/cwd/a/build.sh',
      '/proc/thread-self/root/workspace/dir/build.sh',
      '/proc/7/task/7/cwd/deep/../build.sh',
      '/dev/fd/../cwd/abs.sh',
      '../proc/self/cwd/deep/../../a/build.sh',
    ]) {
      const found = at.named({ args: [name] });
      expect([name, found.map(({ facts }) => facts.startsWith(inner))]).toEqual([name, [true]]);
    }
    expect(at.named({ args: ['/proc/self/cwd/build.sh'], cwd: 'a' })).toMatchObject([
      { facts: expect.stringContaining(inner) },
    ]);
    expect(at.names({ args: ['round', 'round/build.sh', 'deep/../../../build.sh'] })).toEqual([]);
  });

  it('are also those of its variables, one by one and in lists', async () => {
    await using at = await opened();
    const env = [
      { name: 'FILES', value: 'build.sh' },
      { name: 'SEARCH', value: '/opt:sub' },
    ];
    expect(at.names({ env })).toEqual(['build.sh', 'sub']);
    expect(at.names({ env: [{ value: 7 }, null] })).toEqual([]);
  });

  it('are none outside of it, and nothing that is no name', async () => {
    await using at = await opened();
    expect(at.names({ args: ['../secret', '/etc/passwd', 'nul\0', 'x'.repeat(9999)] })).toEqual([]);
    expect(at.names({ args: [7, null, {}], cwd: 7 })).toEqual([]);
  });

  it.each([
    ['of an option', { args: ['--file=build.sh'] }, ['build.sh']],
    ['right behind an option', { command: 'make', args: ['-fbuild.sh'] }, ['build.sh', 'Makefile']],
    [
      'of a list of arguments',
      { command: 'gcc', args: ['@build.sh', '-d@sub'] },
      ['build.sh', 'sub'],
    ],
    ['of its input', { args: ['-'], stdin: '. ./build.sh\ncd sub' }, ['.', './build.sh', 'sub']],
    ['of a script', { args: ['-c', "cd sub;sh 'build.sh' $X"] }, ['sub', 'build.sh']],
    ['of a script of a login shell', { args: ['-lc', 'sh build.sh'] }, ['build.sh']],
    ['and not of other texts', { args: ['-m', 'mend build.sh'] }, []],
    ['that make reads', { command: 'make', args: ['all'] }, ['Makefile']],
    ['that make reads behind others', { command: 'env', args: ['/usr/bin/make'] }, ['Makefile']],
    ['that make reads in a script', { args: ['-c', 'true && make'] }, ['Makefile']],
    ['that npm reads', { command: 'npm', args: ['test'] }, ['package.json']],
    ['that git reads', { command: 'git', args: ['lg'] }, ['.git/config']],
    [
      'that git reads elsewhere',
      { command: 'git', args: ['-C', '..'], cwd: 'app' },
      ['..', '../.git/config'],
    ],
    ['that just reads', { command: 'just' }, ['justfile']],
    ['that cargo reads', { command: 'cargo', args: ['run'] }, ['Cargo.toml', 'build.rs']],
    ['that python reads', { command: 'python3.14', args: ['app'] }, ['app', 'app/__main__.py']],
    ['that node reads', { command: 'node', args: ['app'] }, ['app', 'app/index.js']],
  ])('are also those %s', async (_what, args, names) => {
    await using at = await opened();
    const there = ['Makefile', 'package.json', 'justfile', 'Cargo.toml', 'build.rs'];
    for (const folder of ['app', '.git']) await mkdir(join(at.workspace, folder));
    for (const name of [...there, '.git/config', 'app/__main__.py', 'app/index.js']) {
      await writeFile(join(at.workspace, name), '');
    }
    expect(at.names(args)).toEqual(names);
  });

  it('are said to be not bound where their content is not', async () => {
    await using at = await opened();
    await mkdir(join(at.workspace, 'many'));
    execFileSync('mkfifo', [join(at.workspace, 'pipe')]);
    const empty = Array.from({ length: 2001 }, (_, place) => join(at.workspace, `many/${place}`));
    for (const path of empty) await writeFile(path, '');
    expect(at.why({ args: ['out', 'huge', 'pipe', 'sub', 'many', 'build.sh'] })).toEqual([
      ['out', 'it leads out of the workspace'],
      ['huge', 'it is too large to be read'],
      ['pipe', 'it is neither a file nor a folder'],
      ['sub', ''],
      ['many', 'there are too many names in it'],
      ['build.sh', ''],
    ]);
  });

  it('are bound by content up to 32, told one by one up to 64, and looked up to 4096 words', async () => {
    await using at = await opened();
    const args = Array.from({ length: 70 }, (_, place) => `file-${place}`);
    for (const name of args) await writeFile(join(at.workspace, name), '');
    const why = at.why({ args });
    expect(why.filter(([, reason]) => reason === '')).toHaveLength(32);
    expect(why[32]).toEqual(['file-32', 'too many files are named']);
    expect(why.slice(64)).toEqual([['6 more', 'too many files are named']]);
    const script = Array.from({ length: 5000 }, (_, place) => `w${place}`).join(' ');
    expect(at.why({ args: ['-c', script] })).toEqual([
      ['907 more words', 'too many words to look each of them up'],
    ]);
  });

  it.runIf(process.getuid?.() !== 0)('say so when they may not be read', async () => {
    await using at = await opened();
    await chmod(join(at.workspace, 'build.sh'), 0o000);
    expect(at.why({ args: ['build.sh'] })).toEqual([['build.sh', 'it cannot be read']]);
  });

  it('have to be as they were shown', async () => {
    await using at = await opened();
    const call = { command: 'sh', args: ['build.sh', 'later.sh'] };
    const now = () => namedFiles(call, at.workspace);
    const shown = create(CallPreviewSchema, { namedFiles: [...now()] });
    expect(() => demandShownFiles(shown, now)).not.toThrow();
    expect(() => demandShownFiles(undefined, now)).not.toThrow();
    await writeFile(join(at.workspace, 'later.sh'), '');
    expect(() => demandShownFiles(shown, now)).toThrow('`later.sh` has changed');
    await writeFile(join(at.workspace, 'build.sh'), 'echo two\n');
    expect(() => demandShownFiles(shown, now)).toThrow('`build.sh` has changed');
  });

  it('have to be as they were shown by the name that a cage gives them, too', async () => {
    await using at = await opened();
    const now = () => namedFiles({ command: 'sh', args: ['/workspace/build.sh'] }, at.workspace);
    const shown = create(CallPreviewSchema, { namedFiles: [...now()] });
    await writeFile(join(at.workspace, 'build.sh'), 'echo two\n');
    expect(() => demandShownFiles(shown, now)).toThrow('`/workspace/build.sh` has changed');
  });

  it('have to be as they were shown, each of two that one name leads to', () => {
    const called = (sha256: string) => create(NamedFileSchema, { name: '/workspace/a', sha256 });
    const [first, second, other] = [called('one'), called('two'), called('three')];
    const shown = create(CallPreviewSchema, { namedFiles: [first, second] });
    expect(() => demandShownFiles(shown, () => [first, second])).not.toThrow();
    expect(() => demandShownFiles(shown, () => [other, second])).toThrow('has changed');
    expect(() => demandShownFiles(shown, () => [first, other])).toThrow('has changed');
  });

  it.each([
    ['its mode', async (at: string) => await chmod(join(at, 'sub/run.sh'), 0o755)],
    ['a bit that lends rights', async (at: string) => await chmod(join(at, 'sub/run.sh'), 0o4644)],
    [
      'the folder that it is in',
      async (at: string) => {
        await rename(join(at, 'sub'), join(at, '../before'));
        await cp(join(at, '../before'), join(at, 'sub'), { recursive: true });
      },
    ],
    [
      'the file that a link leads to',
      async (at: string) => {
        await rm(join(at, 'link.sh'));
        await symlink('other.sh', join(at, 'link.sh'));
      },
    ],
  ])('have to be the very ones, also with the same content: %s', async (_what, change) => {
    await using at = await opened();
    await writeFile(join(at.workspace, 'sub/run.sh'), 'echo one\n');
    await writeFile(join(at.workspace, 'other.sh'), 'echo one\n');
    const now = () => namedFiles({ command: 'sub/run.sh', args: ['link.sh'] }, at.workspace);
    const shown = create(CallPreviewSchema, { namedFiles: [...now()] });
    expect(() => demandShownFiles(shown, now)).not.toThrow();
    await change(at.workspace);
    expect(() => demandShownFiles(shown, now)).toThrow('has changed since');
  });

  it('may be in other folders than before where folders may change, and no other files', async () => {
    await using at = await opened();
    const now = () => namedFiles({ command: 'sh', args: ['build.sh', 'sub', 'new'] }, at.workspace);
    const shown = create(CallPreviewSchema, { namedFiles: [...now()], foldersMayChange: true });
    await writeFile(join(at.workspace, 'sub/more'), '');
    await mkdir(join(at.workspace, 'new'));
    expect(() => demandShownFiles(shown, now)).not.toThrow();
    expect(() => demandShownFiles({ ...shown, foldersMayChange: false }, now)).toThrow('`sub`');
    await writeFile(join(at.workspace, 'build.sh'), 'echo two\n');
    expect(() => demandShownFiles(shown, now)).toThrow('`build.sh` has changed');
  });

  it.each([
    ['huge', async (at: string) => await truncate(join(at, 'huge'), 2 ** 40)],
    ['sub', async (at: string) => await writeFile(join(at, 'sub/new'), '')],
    ['sub', async (at: string) => await writeFile(join(at, 'sub/deep/old'), 'two')],
    ['out', async (at: string) => await writeFile(join(at, '../secret'), 'others')],
    ['8 more', async (at: string) => await writeFile(join(at, 'file-69'), 'x')],
  ])('have to be as they were also where the content is not bound: %s', async (name, change) => {
    await using at = await opened();
    await mkdir(join(at.workspace, 'sub/deep'));
    await writeFile(join(at.workspace, 'sub/deep/old'), 'one');
    const files = Array.from({ length: 70 }, (_, place) => `file-${place}`);
    for (const file of files) await writeFile(join(at.workspace, file), '');
    const many = name === '8 more' ? ['build.sh', 'link.sh', ...files] : [name];
    const now = () => namedFiles({ command: 'sh', args: many }, at.workspace);
    const shown = create(CallPreviewSchema, { namedFiles: [...now()] });
    expect(() => demandShownFiles(shown, now)).not.toThrow();
    await change(at.workspace);
    expect(() => demandShownFiles(shown, now)).toThrow(`\`${name}\` has changed`);
  });
});
