import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CANARY, Cage, KINDS } from '../cage.fixture.ts';
import { notedPoints } from './ledger.ts';

/** Masks stand in the workspace all the time, because of what waits there for the next command. */
describe.each(KINDS)('a name on which a mask of %s stands', (kind) => {
  let cage: Cage;
  beforeEach(async () => {
    cage = await Cage.start({ kind, warmth: 'pool' });
    await cage.sh('true');
    await cage.pool('settle');
  });
  afterEach(() => cage[Symbol.asyncDispose]());

  const at = (path: string) => join(cage.workspace, path);
  const noted = () => notedPoints(join(cage.folder, 'state', 'ledger')).map(({ path }) => path);
  /** What a command reads, and whatever it manages to do with the names. */
  const tried = (...paths: readonly string[]) =>
    cage.sh(
      `for f in ${paths.join(' ')}; do cat $f; for c in "echo evil >> $f" "rm $f" "mv -T $f away" "ln $f twin" "ln -sfT /tmp/x $f" "touch $f" "chmod 777 $f"; do sh -c "$c" && echo "did $c"; done; done 2>/dev/null; rm -rf away twin`,
    );
  const left = async () => {
    await cage.pool('drain');
    return readdirSync(cage.workspace).toSorted();
  };
  /** A command that has begun, and tries the rest as soon as the file `go` is there. */
  const waiting = async (script: string) => {
    const up = Promise.withResolvers<void>();
    const ended = cage.sh(`echo up; until [ -e go ]; do sleep 0.01; done; ${script}`, {
      onOutput: () => up.resolve(),
    });
    await up.promise;
    return { ended };
  };

  it('is what somebody put there for the next command, which cannot change it', async () => {
    expect(noted()).toEqual(expect.arrayContaining(['.npmrc', 'AGENTS.md', '.vscode']));
    cage.put('.npmrc', 'in place\n');
    renameSync(cage.put('draft', 'exchanged\n'), at('AGENTS.md'));
    cage.put('.vscode/tasks.json', 'in a folder\n');
    const ended = await tried('.npmrc', 'AGENTS.md', '.vscode/tasks.json');
    expect(ended.stdout).toBe('in place\nexchanged\nin a folder\n');
    await cage.pool('settle');
    const names = ['.npmrc', 'AGENTS.md', '.vscode'];
    expect(noted().filter((path) => names.includes(path))).toEqual([]);
    expect(noted()).toContain('.envrc');
    expect(await left()).toEqual(['.npmrc', '.vscode', 'AGENTS.md']);
    expect(readFileSync(at('.npmrc'), 'utf8')).toBe('in place\n');
  });

  it('is masked as before for a command that runs, and in no way its own', async () => {
    const script = 'cat .npmrc; echo evil > .npmrc || rm .npmrc || mkdir .vscode/x || echo kept';
    const { ended } = await waiting(script);
    cage.put('.npmrc', 'mine\n');
    cage.put('.vscode/tasks.json', 'mine\n');
    expect((await cage.sh('cat .npmrc .vscode/tasks.json')).stdout).toBe('mine\nmine\n');
    cage.put('go', '');
    expect((await ended).stdout).toBe('up\nkept\n');
    expect(await left()).toEqual(['.npmrc', '.vscode', 'go']);
  });

  it('is a repository as soon as somebody makes one, and `HEAD` beside it stays masked', async () => {
    const { ended } = await waiting('echo evil > HEAD || rm HEAD || echo kept');
    for (const path of ['.git/objects', '.git/refs', '.git/hooks']) cage.putFolder(path);
    cage.put('.git/HEAD', 'ref: refs/heads/main\n');
    const next = await tried('.git/HEAD', 'HEAD');
    expect(next.stdout).toBe('ref: refs/heads/main\n');
    cage.put('go', '');
    expect((await ended).stdout).toBe('up\nkept\n');
    expect((await ended).posture.weaknesses.join()).not.toContain('took its guard off');
    expect(await left()).toEqual(['.git', 'go']);
  });

  it('hides the secrets of a folder that somebody put there', async () => {
    cage.put('.vscode/.env', CANARY);
    cage.put('.vscode/tasks.json', 'mine\n');
    const ended = await cage.sh('cat .vscode/tasks.json .vscode/.env');
    expect(ended.stdout).toBe('mine\n');
  });

  it('is masked deeper where only a part of it came', async () => {
    cage.put('.github/CODEOWNERS', 'me\n');
    const ended = await cage.sh(
      'cat .github/CODEOWNERS; echo new > .github/labels; mkdir .github/workflows/x || mv .github away || echo kept',
    );
    expect(ended.stdout).toBe('me\nkept\n');
    expect(await left()).toEqual(['.github']);
    expect(readdirSync(at('.github')).toSorted()).toEqual(['CODEOWNERS', 'labels']);
  });

  it('is masked anew when somebody took it away, and nothing is left of that', async () => {
    rmSync(at('.npmrc'));
    rmSync(at('.vscode'), { recursive: true });
    expect((await tried('.npmrc', '.vscode')).stdout).toBe('');
    await cage.pool('settle');
    expect(noted()).toEqual(expect.arrayContaining(['.npmrc', '.vscode']));
    expect(await left()).toEqual([]);
  });

  it('is written under no second name that somebody gave it', async () => {
    linkSync(at('.npmrc'), at('twin.txt'));
    expect((await tried('.npmrc', 'twin.txt')).stdout).toBe('');
    expect(readFileSync(at('.npmrc'), 'utf8')).toBe('');
    expect(await left()).toEqual(['.npmrc', 'twin.txt']);
  });

  it('is seen also where its time was put back, or it is a folder where a file was', async () => {
    const back = (path: string) => utimesSync(at(path), 0, 0);
    cage.put('.npmrc', 'mine\n');
    cage.put('.vscode/x', 'mine\n');
    for (const path of ['.npmrc', '.vscode']) back(path);
    rmSync(at('AGENTS.md'));
    cage.putFolder('AGENTS.md');
    cage.put('AGENTS.md/x', 'mine\n');
    rmSync(at('.idea'), { recursive: true });
    cage.put('.idea', 'mine\n');
    const ended = await tried('.npmrc', '.vscode/x', 'AGENTS.md/x', '.idea');
    expect(ended.stdout).toBe('mine\n'.repeat(4));
    expect(await left()).toEqual(['.idea', '.npmrc', '.vscode', 'AGENTS.md']);
  });

  it('is never taken away once somebody touched it, or made another one there', async () => {
    utimesSync(at('AGENTS.md'), 1, 1);
    rmSync(at('.npmrc'));
    cage.put('.npmrc', '');
    expect((await tried('AGENTS.md', '.npmrc')).stdout).toBe('');
    expect(await left()).toEqual(['.npmrc', 'AGENTS.md']);
  });

  it('leads nowhere when somebody made it a link: nothing runs until it is none', async () => {
    for (const path of ['.npmrc', '.vscode']) {
      rmSync(at(path), { recursive: true });
      symlinkSync(cage.folder, at(path));
      const ended = await cage.sh('echo ran');
      expect(ended).toMatchObject({ kind: 'refused', fault: { code: 'SANDBOX_SCOPE_DENIED' } });
      rmSync(at(path));
    }
    expect((await tried('.npmrc', '.vscode')).stdout).toBe('');
    expect(await left()).toEqual([]);
  });

  it.runIf(process.geteuid?.() === 0)(
    "may be another user's, who keeps it to themselves",
    async () => {
      rmSync(at('.npmrc'));
      writeFileSync(at('.npmrc'), CANARY);
      chownSync(at('.npmrc'), 4711, 4711);
      chmodSync(at('.npmrc'), 0o600);
      rmSync(at('.vscode'), { recursive: true });
      mkdirSync(at('.vscode'), { mode: 0o700 });
      chownSync(at('.vscode'), 4711, 4711);
      writeFileSync(join(at('.vscode'), 'x'), CANARY);
      expect((await tried('.npmrc', '.vscode/x')).stdout).toBe('');
      expect(await left()).toEqual(['.npmrc', '.vscode']);
      expect(readFileSync(at('.npmrc'), 'utf8')).toBe(CANARY);
    },
  );

  it('loses no mask by a command that none lies in front of', async () => {
    const earlier = await waiting('echo evil > sub/.envrc; echo more > sub/.vscode/x; touch done');
    // Only now is it a place where people start programs.
    cage.putFolder('sub');
    chmodSync(at('sub'), 0o777);
    cage.putFolder('sub/.git');
    const up = Promise.withResolvers<void>();
    const later = cage.sh(
      'echo up; until [ -e done ]; do sleep 0.01; done; cat sub/.envrc; echo x > sub/.envrc || mkdir sub/.vscode/y || echo kept',
      { onOutput: () => up.resolve() },
    );
    await up.promise;
    expect(noted()).toContain('sub/.envrc');
    cage.put('go', '');
    const [made, kept] = [await earlier.ended, await later];
    expect(kept.stdout).toBe('up\nkept\n');
    expect(made.posture.weaknesses.join()).toContain('other programs obey what appeared meanwhile');
    const next = await tried('sub/.envrc', 'sub/.vscode/x');
    expect(next.stdout).toBe('evil\nmore\n');
    await cage.pool('drain');
    expect(readdirSync(at('sub')).toSorted()).toEqual(['.envrc', '.git', '.vscode']);
  });

  it('is not held against whoever writes all the time, and never taken away from them', async () => {
    for (let round = 0; round < 5; round += 1) {
      renameSync(cage.put('draft', `${round}\n`), at('.npmrc'));
      expect((await tried('.npmrc')).stdout).toBe(`${round}\n`);
      rmSync(at('.npmrc'));
      expect((await tried('.npmrc')).stdout).toBe('');
      await cage.pool('settle');
      cage.put('.npmrc', `again ${round}\n`);
    }
    expect(await left()).toEqual(['.npmrc']);
    expect(readFileSync(at('.npmrc'), 'utf8')).toBe('again 4\n');
  });

  it('leads nobody out who finds it exchanged all the time, and is never taken away', async () => {
    const outside = join(cage.folder, 'outside.txt');
    const steps = [
      () => cage.put('.npmrc', 'mine\n'),
      () => symlinkSync(outside, at('.npmrc')),
      () => cage.putFolder('.npmrc'),
      () => linkSync(cage.put('twin.txt', ''), at('.npmrc')),
      () => {},
    ];
    let isOver = false;
    const exchanging = (async () => {
      for (let round = 0; !isOver; round += 1) {
        rmSync(at('.npmrc'), { recursive: true, force: true });
        tryTo(steps[round % steps.length]);
        await turn();
      }
    })();
    const endings = [];
    for (let round = 0; round < 12; round += 1) {
      endings.push(await cage.sh('cat .npmrc; echo evil > .npmrc; echo ran'));
    }
    isOver = true;
    await exchanging;
    expect(endings.map(({ stdout }) => stdout).join()).not.toContain(CANARY);
    expect(readFileSync(outside, 'utf8')).toBe(CANARY);
    rmSync(at('.npmrc'), { recursive: true, force: true });
    cage.put('.npmrc', 'last\n');
    expect((await tried('.npmrc')).stdout).toBe('last\n');
    await cage.pool('drain');
    expect(readFileSync(at('.npmrc'), 'utf8')).toBe('last\n');
  });

  it('is what somebody put there while nobody was left to look, and stays theirs', async () => {
    await cage.kill();
    cage.put('.npmrc', 'mine\n');
    cage.put('.vscode/x', 'mine\n');
    await cage.restart();
    expect((await cage.sh('cat .npmrc .vscode/x')).stdout).toBe('mine\nmine\n');
    expect(await left()).toEqual(['.npmrc', '.vscode']);
  });
});

/** Whoever guards the name may have been quicker. */
function tryTo(step: (() => unknown) | undefined): void {
  try {
    step?.();
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^E[A-Z]+$/) });
  }
}
