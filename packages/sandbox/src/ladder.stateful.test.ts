import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inOwnNamespace } from './entry-namespace.ts';
import { hostProgram } from '@palyra/testkit';
import { Den, KINDS, type Kind, USER } from './tier-c-landlock/den.fixture.ts';

const NOWHERE = '/usr/bin/bwrap-that-is-not-there';
const CLIMBER = hostProgram(join(import.meta.dirname, 'ladder-host.fixture.ts'));

/** Where one comes to stand whose first sandboxes are killed while they are made. */
async function climb(kind: Kind, kills: number): Promise<unknown> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'palyra-ladder-'));
  if (kind === 'user' && process.geteuid?.() === 0) chownSync(folder.path, USER, USER);
  const words = [CLIMBER, folder.path, `${kills}`, ...(kind === 'user' ? [`${USER}`] : [])];
  const command = { file: process.execPath, arguments: ['--no-warnings', ...words] };
  const { file, arguments: all } = inOwnNamespace(kind === 'root' ? 0 : 1, command);
  return JSON.parse(execFileSync(file, all, { env: {}, encoding: 'utf8' }));
}

describe.each(KINDS)('the ladder, climbed by %s', (kind) => {
  it('takes bubblewrap where it can be had, and has nothing to confess', async () => {
    await using den = await Den.open(kind, { ladder: {} });
    expect(den.step).toBe('bubblewrap');
    const { posture, code } = await den.sh('exit 3');
    expect(code).toBe(3);
    expect(posture.executor).toBe('sandbox_tier_c_linux_bubblewrap');
    expect(posture.weaknesses.join()).not.toContain('could not be used');
    expect(posture.passedOver).toBeUndefined();
  });

  it('takes Landlock where there is no bubblewrap, and says so with every result', async () => {
    await using den = await Den.open(kind, { ladder: { bwrap: NOWHERE } });
    expect(den.step).toBe('landlock');
    const { posture, code } = await den.sh('exit 3');
    expect(code).toBe(3);
    expect(posture.executor).toBe('sandbox_tier_c_linux_landlock');
    expect(posture.weaknesses[0]).toContain('bubblewrap could not be used');
    expect(posture.weaknesses[0]).toContain(NOWHERE);
    expect(posture.passedOver).toEqual([posture.weaknesses[0]]);
  });

  it('tries a step again of which one sandbox was killed', async () => {
    expect(await climb(kind, 1)).toEqual({ step: 'bubblewrap', killed: 1 });
  });

  it('takes Landlock where namespaces are refused, as in a container', async () => {
    await using den = await Den.open(kind, { ladder: {}, refuse: ['unshare', 'mount'] });
    expect(den.step).toBe('landlock');
    const { posture, stdout } = await den.sh('echo inside');
    expect(stdout).toBe('inside\n');
    expect(posture.weaknesses[0]).toContain('bubblewrap could not be used');
  });

  it('refuses with both reasons where neither can be had, and never takes less', async () => {
    const refuse = ['landlock_create_ruleset'];
    const opening = Den.open(kind, { ladder: { bwrap: NOWHERE }, refuse });
    await expect(opening).rejects.toThrow(
      /bubblewrap could not be used.*landlock could not be used/,
    );
    await expect(opening).rejects.toThrow(/has no Landlock/);
  });
});
