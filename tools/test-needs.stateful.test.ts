import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const MODULE = JSON.stringify(join(import.meta.dirname, 'test-needs.ts'));
/** Knows no package until its list was fetched, like a fresh image. */
const APT_GET = `#!/bin/sh
echo "$*" >> "$LOG"
if [ "$1" = update ]; then : > "$LOG.fetched"; exit 0; fi
[ -e "$LOG.fetched" ] && [ "$MOOD" = good ]
`;
const SUDO = `#!/bin/sh
[ "$1" = -n ] && shift
[ "$1" = true ] && exit 0
exec "$@"
`;

const PACKAGES = ['strace', 'bubblewrap', 'util-linux', 'perl-base', 'git', 'python3', 'chromium'];

describe('installNeeds', () => {
  it('fetches the list of packages when the first try fails, and installs what is missing', async () => {
    const { stdout, calls } = await needsWith('good');
    expect(stdout).toBe(`installing ${PACKAGES.join(' and ')} with apt-get ...\n`);
    expect(calls).toEqual([
      `install -y --no-install-recommends ${PACKAGES.join(' ')}`,
      'update',
      `install -y --no-install-recommends ${PACKAGES.join(' ')}`,
    ]);
  });

  it('goes on when nothing helps, and says which tests will fail', async () => {
    const { stdout } = await needsWith('bad');
    expect(stdout).toContain(
      `apt-get failed; tests that need ${PACKAGES.join(' or ')} will fail\n`,
    );
  });
});

async function needsWith(mood: 'good' | 'bad') {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra setup-'));
  const log = join(folder.path, 'calls');
  writeFileSync(join(folder.path, 'apt-get'), APT_GET, { mode: 0o755 });
  writeFileSync(join(folder.path, 'sudo'), SUDO, { mode: 0o755 });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { installNeeds } = await import(${MODULE}); await installNeeds();`,
    ],
    { env: { PATH: folder.path, LOG: log, MOOD: mood } },
  );
  return { stdout, calls: readFileSync(log, 'utf8').trimEnd().split('\n') };
}
