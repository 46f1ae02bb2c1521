import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readSafeFile } from './safe-file.ts';
import { SampleHome } from './sample.fixture.ts';

it('a pipe in the place of a file is refused at once instead of waited for', () => {
  using home = new SampleHome();
  const file = `${home.root}/palyra.toml`;
  execFileSync('mkfifo', [file]);
  chmodSync(file, 0o600);
  expect(readSafeFile({ kind: 'workspace', file })).toMatchObject({
    kind: 'refused',
    problem: { message: `${file} cannot be used: not a regular file` },
  });
});
