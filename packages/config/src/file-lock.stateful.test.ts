import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockFile } from './file-lock.ts';
import { SampleHome } from './sample.fixture.ts';

/** Fills its disk until that refuses, at once where it is read-only, and says what became of the lock. */
const LOCKER = `
  import { appendFileSync } from 'node:fs';
  import { lockFile } from ${JSON.stringify(join(import.meta.dirname, 'file-lock.ts'))};
  const [folder] = process.argv.slice(1);
  try { for (;;) appendFileSync(folder + '/filling', 'x'.repeat(4096)); } catch {}
  try { lockFile(folder + '/palyra.toml'); } catch ({ code, message, help }) {
    process.stdout.write(JSON.stringify({ code, message, help }));
  }
`;

it.each([
  {
    disk: 'full',
    mount: (folder: string) => ['--size', '65536', '--tmpfs', folder],
    reason: 'the disk is full',
    help: 'free disk space and try again',
  },
  {
    disk: 'read-only',
    mount: (folder: string) => ['--ro-bind', folder, folder],
    reason: 'the disk is read-only',
    help: 'make it writable and try again',
  },
])('a file on a disk that is $disk is not locked, and that is said', ({ mount, reason, help }) => {
  using home = new SampleHome();
  const script = [process.execPath, '--input-type=module', '-e', LOCKER, home.root];
  const machine = ['--bind', '/', '/', '--dev', '/dev', ...mount(home.root)];
  const ended = spawnSync('bwrap', [...machine, ...script], { encoding: 'utf8' });
  expect(ended.error, 'bwrap is missing; install bubblewrap').toBeUndefined();
  expect(ended.stderr).toBe('');
  expect(JSON.parse(ended.stdout)).toEqual({
    code: 'CONFIG_INVALID',
    message: `\`${home.root}/palyra.toml\` cannot be changed: ${reason}`,
    help,
  });
});

it('what lies in the place of the lock is to be removed', () => {
  using home = new SampleHome();
  const file = join(home.root, 'palyra.toml');
  writeFileSync(`${file}.lock`, 'not a lock\n'.repeat(100));
  expect(() => lockFile(file)).toThrow(
    expect.objectContaining({
      message: `\`${file}.lock\` cannot be locked: it is no lock of ours`,
      help: 'remove that file and try again',
    }),
  );
});
