import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PalyraError } from '@palyra/kernel';
import { describe, expect, it } from 'vitest';
import { openPrivateFile, readPrivateFile, replacePrivateFile } from './index.ts';
import { modeOf, TempDirectory, unsafe } from './temp-directory.fixture.ts';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, 'other-process.fixture.ts');

interface Task {
  readonly act: string;
  readonly path: string;
  readonly text?: string;
}

function command({ act, path, text = '' }: Task): string[] {
  return [process.execPath, PROGRAM, '--act', act, '--path', path, '--text', text];
}

/** Does it until it goes out of scope. */
function meanwhile(task: Task): AsyncDisposable {
  const [program = '', ...args] = command(task);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return {
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('private files, while others are at work', () => {
  it('are the same for all who add one at once', async () => {
    using temp = new TempDirectory();
    const path = temp.at('a.key');
    const adders = Array.from({ length: 6 }, async (_, place) => {
      const [program = '', ...args] = command({ act: 'add', path, text: `from ${place}` });
      return (await run(program, args)).stdout;
    });
    const found = await Promise.all(adders);
    expect(found[0]).toMatch(/^from [0-5]$/);
    expect(new Set(found).size).toBe(1);
    expect(readdirSync(temp.path)).toEqual(['a.key']);
  });

  it('are read as they were before or after, never in between', async () => {
    using temp = new TempDirectory();
    const path = temp.at('a.key');
    replacePrivateFile(path, '0'.repeat(4096));
    await using _replacing = meanwhile({ act: 'replace for ever', path });
    const seen = new Set<string>();
    while (seen.size < 4) {
      seen.add(readPrivateFile(path, 4096) ?? 'none');
      await nextTurn();
    }
    for (const text of seen) expect(text).toMatch(/^(\d)\1{4095}$/);
  });

  it('are never exchanged for a link between the look and the reading', async () => {
    using temp = new TempDirectory();
    const path = temp.write('a.key', 'ours');
    const text = temp.write('elsewhere', 'not meant for us');
    await using _exchanging = meanwhile({ act: 'exchange for ever', path, text });
    const seen = new Set<string | undefined>();
    for (let reads = 0; reads < 5000 || seen.size < 2; reads += 1) {
      seen.add(readOrCode(path));
      await nextTurn();
    }
    expect(seen).toEqual(new Set(['HOME_UNSAFE', 'ours']));
  });

  it('cannot be read by others, whatever the umask is', () => {
    using temp = new TempDirectory();
    const path = temp.at('keys');
    const [program = '', ...args] = command({ act: 'openhanded', path, text: 'text' });
    execFileSync(program, args);
    const modes = [path, `${path}/replaced`, `${path}/added`].map(modeOf);
    expect(modes).toEqual(['700', '600', '600']);
  });
});

describe('private files, in the place of other things', () => {
  it('are refused at once when they are pipes that nobody writes to', () => {
    using temp = new TempDirectory();
    const path = temp.at('a.key');
    execFileSync('mkfifo', ['-m', '600', path]);
    expect(() => readPrivateFile(path, 64)).toThrow(unsafe(`\`${path}\` is not a plain file`));
  });

  it('are closed again when they are refused', () => {
    using temp = new TempDirectory();
    const path = temp.write('a.key', 'text');
    symlinkSync(path, temp.at('link'));
    chmodSync(path, 0o640);
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let times = 0; times < 50; times += 1) {
      expect(() => openPrivateFile(path)).toThrow(PalyraError);
      expect(() => openPrivateFile(temp.at('link'))).toThrow(PalyraError);
    }
    expect(open()).toBe(before);
  });
});

describe('private files, on their way to the disk', () => {
  it.each(['replace', 'stream'])('stay as they were when %s finds no room', (act) => {
    using temp = new TempDirectory();
    const path = temp.write('a.key', 'old');
    // The signal that comes with the limit is ignored, so that the write itself fails.
    const limited = ['-c', 'trap "" XFSZ; ulimit -f 1; exec "$@"', 'bash'];
    const { status, stderr } = spawnSync(
      'bash',
      [...limited, ...command({ act, path, text: 'x'.repeat(8192) })],
      { encoding: 'utf8', env: {} },
    );
    expect(status).toBe(1);
    expect(stderr).toContain('EFBIG');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(temp.path)).toEqual(['a.key']);
  });

  it.each([
    { act: 'add', steps: ['sync a file', 'name', 'sync the directory'] },
    { act: 'replace', steps: ['sync a file', 'name', 'sync the directory'] },
    { act: 'stream', steps: ['sync a file', 'name', 'sync the directory'] },
    { act: 'remove', steps: ['sync the directory'] },
  ])('have their bytes there before their name: $act', ({ act, steps }) => {
    using temp = new TempDirectory();
    const path = temp.at('keys/a.key');
    execFileSync('mkdir', ['-m', '700', temp.at('keys')]);
    if (act === 'remove') replacePrivateFile(path, 'text');
    expect(stepsOf({ act, path, text: 'text' }, temp.at('trace'))).toEqual(steps);
  });
});

function readOrCode(path: string): string | undefined {
  try {
    return readPrivateFile(path, 64);
  } catch (error) {
    return PalyraError.from(error).code;
  }
}

/** What the system was asked for, about the directory of the file and what is in it. */
function stepsOf(task: Task, trace: string): string[] {
  const calls = 'trace=fsync,link,linkat,rename,renameat,renameat2';
  const traced = spawnSync('strace', [
    '-f',
    // Stops at nothing but these.
    '--seccomp-bpf',
    '-y',
    '-qq',
    '-e',
    calls,
    '-o',
    trace,
    ...command(task),
  ]);
  expect(
    traced.error,
    'strace is missing; install it with `apt-get install strace`',
  ).toBeUndefined();
  const folder = join(task.path, '..');
  return readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => {
      if (!line.includes('fsync(')) return 'name';
      return line.includes(`${folder}>`) ? 'sync the directory' : 'sync a file';
    });
}
