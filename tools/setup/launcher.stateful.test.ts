import { type ChildProcess, spawn } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const REAL_PROGRAMS = 'sh cat chmod date find id mkdir mv readlink rm sed sleep tail touch uname';

/** A checkout with a space in its path, whose npm and Node only write down that they were called. */
let checkout = '';
let bin = '';

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palyra launcher '));
  checkout = join(folder, 'gate way');
  bin = join(folder, 'bin');
  for (const path of ['tools/setup', '.git', 'apps/x/src', 'packages']) {
    await mkdir(join(checkout, path), { recursive: true });
  }
  await cp(join(ROOT, 'palyra'), join(checkout, 'palyra'));
  await cp(join(ROOT, 'tools/setup/set-up.sh'), join(checkout, 'tools/setup/set-up.sh'));
  await writeFile(join(checkout, 'apps/x/src/main.ts'), '');
  await writeFile(join(checkout, 'package-lock.json'), '{}');
  await makeOld('tools/setup/set-up.sh', 'apps/x/src/main.ts', 'package-lock.json');
  await mkdir(bin);
  await Promise.all(REAL_PROGRAMS.split(' ').map(linkProgram));
  await writeProgram('node', 'exit 1');
  await writeProgram('bwrap', 'exit 0');
  await writeProgram('npm', NPM);
});

afterEach(async () => {
  await rm(join(checkout, '..'), { recursive: true, force: true });
});

describe('./palyra', () => {
  it('sets up once, telling each step on standard error, and then is the CLI', async () => {
    const first = await start(['status', 'a b']);
    expect(first.stdout).toBe('cli status|a b|\n');
    expect(first.stderr).toMatch(
      /✓ npm packages.*\n.*programs and console\n✓ programs and console/,
    );
    expect(await calls()).toEqual(['npm ci', 'build']);

    const second = await start(['status']);
    expect(second).toEqual({ code: 0, stdout: 'cli status|\n', stderr: '' });
    expect(await calls()).toEqual(['npm ci', 'build']);
  });

  it('builds again when a source has changed, and does nothing else', async () => {
    await start([]);
    const source = join(checkout, 'apps/x/src/main.ts');
    await writeFile(source, 'changed');
    // File systems stamp with a clock that ticks now and then: the build may be of the same moment.
    const later = Date.now() / 1000 + 1;
    await utimes(source, later, later);
    const again = await start([]);
    expect(again.stderr).toMatch(/^… programs and console\n✓ programs and console \(\d+ s\)\n$/);
    expect(await calls()).toEqual(['npm ci', 'build', 'build']);
  });

  it.each(['palyra.cjs', 'program/palyrad.cjs'])('builds again when %s is gone', async (file) => {
    await start([]);
    await rm(join(checkout, 'dist', file));
    expect(await start(['x'])).toMatchObject({ code: 0, stdout: 'cli x|\n' });
    expect(await calls()).toEqual(['npm ci', 'build', 'build']);
  });

  it('does not build for a test or a text that has changed', async () => {
    await start([]);
    await writeFile(join(checkout, 'apps/x/src/main.test.ts'), 'changed');
    await writeFile(join(checkout, 'apps/x/README.md'), 'changed');
    expect((await start([])).stderr).toBe('');
  });

  it('installs again when the lock file has changed', async () => {
    await start([]);
    await writeFile(join(checkout, 'package-lock.json'), '{"changed":true}');
    await start([]);
    expect(await calls()).toEqual(['npm ci', 'build', 'npm ci', 'build']);
  });

  it('shows the end of the log when a step fails, and takes it up again next time', async () => {
    await writeProgram('npm', 'echo "no route to the registry"; exit 7');
    const failed = await start([]);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toBe('');
    expect(failed.stderr).toContain('    no route to the registry\n');
    expect(failed.stderr).toContain(`see ${checkout}/dist/set-up.log`);
    await writeProgram('npm', NPM);
    expect(await start(['x'])).toMatchObject({ code: 0, stdout: 'cli x|\n' });
  });

  it('works through a symbolic link and from another directory', async () => {
    await symlink('gate way/palyra', join(checkout, '..', 'link'));
    const ended = await run(join(checkout, '..', 'link'), ['x'], { cwd: '/' });
    expect(ended).toMatchObject({ code: 0, stdout: 'cli x|\n' });
  });

  it('sets up its own directory where CDPATH leads to another of that name', async () => {
    const other = join(checkout, '..', 'other');
    await mkdir(join(other, 'gate way'), { recursive: true });
    const where = { cwd: join(checkout, '..'), variables: { CDPATH: other } };
    const ended = await run('gate way/palyra', ['x'], where);
    expect(ended).toMatchObject({ code: 0, stdout: 'cli x|\n' });
    expect(await calls()).toEqual(['npm ci', 'build']);
    expect(await readdir(join(other, 'gate way'))).toEqual([]);
  });

  it('sets up once when two start at the same time', async () => {
    const ended = await Promise.all([start(['one']), start(['two'])]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(await calls()).toEqual(['npm ci', 'build']);
  });

  it('takes over from a start that died', async () => {
    const dead = spawn('true');
    await new Promise((resolve) => void dead.once('close', resolve));
    await mkdir(join(checkout, 'dist/set-up.lock'), { recursive: true });
    await writeFile(join(checkout, 'dist/set-up.lock/owner'), String(dead.pid));
    expect(await start(['x'])).toMatchObject({ code: 0, stdout: 'cli x|\n' });
  });

  it('says what is missing and how to get it where it may not install, and goes on', async () => {
    await rm(join(bin, 'bwrap'));
    await pretendUser();
    const ended = await start(['x']);
    expect(ended).toMatchObject({ code: 0, stdout: 'cli x|\n' });
    expect(ended.stderr).toContain('! missing: bubblewrap');
    expect(ended.stderr).toContain('! install it with: sudo apt-get install bubblewrap\n');
    expect(await calls()).toEqual(['npm ci', 'build']);
  });

  it('installs what is missing where it may, fetching the lists only when it has to', async () => {
    await rm(join(bin, 'bwrap'));
    await writeProgram('id', 'echo 0');
    await writeProgram(
      'apt-get',
      `echo "apt $1" >>"${checkout}/calls"; [ "$1" = update ] || [ -e "${checkout}/lists" ] || { touch "${checkout}/lists"; exit 1; }`,
    );
    expect(await start(['x'])).toMatchObject({ code: 0 });
    expect(await calls()).toEqual(['apt install', 'apt update', 'apt install', 'npm ci', 'build']);
  });

  it.each([
    { gone: ['npm'], packages: 'npm' },
    { gone: ['node', 'npm'], packages: 'nodejs npm' },
  ])('does not start without $gone, and says how to get $packages', async ({ gone, packages }) => {
    for (const program of gone) await rm(join(bin, program));
    await pretendUser();
    const ended = await start([]);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(`error: missing: ${packages}\n`);
    expect(ended.stderr).toContain(`  try: install with: sudo apt-get install ${packages}\n`);
  });

  it('says so when the checkout cannot be written', async () => {
    await writeFile(join(checkout, 'dist'), 'in the way');
    const ended = await start([]);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(`error: ${checkout} cannot be written\n`);
  });
});

const NPM = `echo "npm $1" >>calls
mkdir -p node_modules/.bin
cat >node_modules/.bin/node <<'END'
#!/bin/sh
case $1 in
  tools/build.ts)
    echo build >>calls
    mkdir -p dist/program
    touch dist/palyra.cjs dist/program/palyrad.cjs
    printf '%s\\n' palyra.cjs program/palyrad.cjs >dist/stamp ;;
  */dist/palyra.cjs) [ -e "$1" ] || exit 1; shift; printf cli; printf ' '; printf '%s|' "$@"; echo ;;
esac
END
chmod +x node_modules/.bin/node
touch node_modules/.package-lock.json`;

async function calls(): Promise<readonly string[]> {
  const text = await readFile(join(checkout, 'calls'), 'utf8');
  return text.trimEnd().split('\n');
}

async function pretendUser(): Promise<void> {
  await writeProgram('id', 'echo 1000');
  await writeProgram('apt-get', 'exit 1');
  await writeProgram('sudo', 'exit 1');
}

async function makeOld(...paths: readonly string[]): Promise<void> {
  const then = new Date('2026-01-01T00:00:00Z');
  for (const path of paths) await utimes(join(checkout, path), then, then);
}

async function writeProgram(name: string, script: string): Promise<void> {
  await rm(join(bin, name), { force: true });
  await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

async function linkProgram(name: string): Promise<void> {
  const where = spawn('sh', ['-c', `command -v ${name}`], { stdio: ['ignore', 'pipe', 'ignore'] });
  await symlink((await textOf(where)).stdout.trim(), join(bin, name));
}

function start(words: readonly string[]): Promise<Ended> {
  return run('./palyra', words, { cwd: checkout });
}

interface Where {
  readonly cwd: string;
  readonly variables?: Readonly<Record<string, string>>;
}

function run(program: string, words: readonly string[], where: Where): Promise<Ended> {
  const env = { PATH: bin, ...where.variables };
  return textOf(spawn(program, words, { cwd: where.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function textOf(child: ChildProcess): Promise<Ended> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const [out, err] = [Buffer.concat(stdout), Buffer.concat(stderr)];
      resolve({ code, stdout: out.toString('utf8'), stderr: err.toString('utf8') });
    });
  });
}
