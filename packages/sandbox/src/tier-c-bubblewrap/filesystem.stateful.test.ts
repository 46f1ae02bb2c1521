import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAGES, CANARY, Cage } from './cage.fixture.ts';

describe.each(CAGES)('from inside a sandbox of $kind, $warmth', ({ kind, warmth }) => {
  let cage: Cage;
  beforeAll(async () => {
    cage = await Cage.start({ kind, warmth });
    cage.putFolder('.git');
    cage.putFolder('.git/hooks');
    cage.put('.git/config', '[core]\n');
    cage.put('.git/HEAD', 'ref: refs/heads/main\n');
    cage.put('.env', CANARY);
    cage.putFolder('deep');
    cage.putFolder('deep/er');
    cage.put('deep/er/.env.production', CANARY);
    cage.put('deep/er/id_ed25519', CANARY);
    cage.put('.env.example', 'SAMPLE=1\n');
  });
  afterAll(() => cage[Symbol.asyncDispose]());

  it('the users, the secrets and the folders of the machine are not there', async () => {
    const ended = await cage.sh(
      'cat /etc/passwd /etc/group /etc/hosts; cat /etc/shadow; cat /etc/resolv.conf; ls -d /root /home /var /run /sys /opt /boot /mnt; ls /etc; hostname',
    );
    expect(ended.stdout).toContain('sandbox:x:61100:61100');
    expect(ended.stdout).not.toContain('root:x:0');
    expect(ended.stdout.trim().split('\n').at(-1)).toBe('sandbox');
    expect(ended.stderr.match(/No such file or directory/g)).toHaveLength(10);
  });

  it('what lies outside the workspace is reached by no path and no link', async () => {
    symlinkSync(cage.folder, join(cage.workspace, 'up'));
    symlinkSync('../outside.txt', join(cage.workspace, 'next-door'));
    symlinkSync(homedir(), join(cage.workspace, 'home'));
    const ended = await cage.sh(
      `cat ../outside.txt ${cage.folder}/outside.txt up/outside.txt next-door /proc/self/root${cage.folder}/outside.txt /proc/1/root${cage.folder}/outside.txt /proc/1/cwd/../outside.txt; echo x > next-door; echo x > up/written; echo x > home/written; ls -A /`,
    );
    expect(ended.stdout).not.toContain(CANARY);
    expect(ended.stdout.split('\n')).not.toContain('root');
    expect(readFileSync(join(cage.folder, 'outside.txt'), 'utf8')).toBe(CANARY);
    expect(existsSync(join(cage.folder, 'written'))).toBe(false);
    expect(existsSync(join(homedir(), 'written'))).toBe(false);
  });

  it.each(['/usr/x', '/etc/x', '/x', '/dev/x', '/bin/x', '/proc/x', '/.start', '/etc/passwd'])(
    'nothing can be written at %s',
    async (path) => {
      const ended = await cage.sh(`echo x > ${path}; ln -s /tmp ${path}2; mkdir ${path}3`);
      expect(ended.code).not.toBe(0);
      expect(existsSync(`${path}2`) || existsSync(`${path}3`)).toBe(false);
    },
  );

  it('no mount can be made, changed or taken away', async () => {
    const ended = await cage.sh(
      'for c in "mount -o remount,rw,bind /usr" "mount -o remount,rw,bind /" "mount -t tmpfs none /tmp" "mount --bind /tmp /workspace/deep" "umount /workspace/.env" "umount -l /workspace/.git" "umount /proc/keys"; do $c 2>/dev/null && echo "did $c"; done; cat .env; true',
    );
    expect(ended.stdout).toBe('');
    expect(ended.stderr).toContain('.env: Permission denied');
  });

  it('a repository can be read and in no way changed', async () => {
    const before = readdirSync(join(cage.workspace, '.git'));
    const ended = await cage.sh(
      'cat .git/config; for f in .git/hooks/pre-commit .git/config .git/config.worktree .git/HEAD .git/new; do echo "#!/bin/sh" > $f; done; rm -rf .git; mv .git .git2; mv -T deep .git; ln -sf /tmp .git; rmdir .git; ls -A | grep git2; true',
    );
    expect(ended.stdout).toBe('[core]\n');
    expect(readdirSync(join(cage.workspace, '.git'))).toEqual(before);
    expect(readFileSync(join(cage.workspace, '.git/config'), 'utf8')).toBe('[core]\n');
    expect(readdirSync(join(cage.workspace, '.git/hooks'))).toEqual([]);
  });

  it('a `.git` that is a file stays that file', async () => {
    const workspace = cage.makeWorkspace('worktree');
    writeFileSync(join(workspace, '.git'), 'gitdir: /elsewhere\n');
    await cage.sh('rm -f .git; mkdir .git; mv .git other; echo x > .git', { workspace });
    expect(readFileSync(join(workspace, '.git'), 'utf8')).toBe('gitdir: /elsewhere\n');
    expect(readdirSync(workspace)).toEqual(['.git']);
  });

  it('names that programs obey cannot be made, and nothing is left of what guards them', async () => {
    const workspace = cage.makeWorkspace('bare');
    const names = [
      '.envrc .npmrc .yarnrc.yml .pnpmfile.cjs .bazelrc .mcp.json .gitmodules HEAD',
      '.cargo/config.toml .vscode/tasks.json .idea/x .devcontainer/x .husky/pre-commit',
      '.github/workflows/x.yml .palyra/config .claude/settings.json .git/config',
      'AGENTS.md CLAUDE.md .gitattributes palyra.toml .gitlab-ci.yml .cursorrules',
    ].join(' ');
    const ended = await cage.sh(
      `for f in ${names}; do mkdir -p $(dirname $f) && echo evil > $f && echo "made $f"; rm -rf $f $(dirname $f) 2>/dev/null; mv $f away && echo "moved $f"; ln -sf /tmp/x $f && echo "linked $f"; done 2>/dev/null; true`,
      { workspace },
    );
    expect(ended.stdout).toBe('');
    expect(readdirSync(workspace)).toEqual([]);
    expect(ended.posture.weaknesses.join()).not.toContain('stays');
  });

  it('names that programs obey cannot be made in a repository below either', async () => {
    const workspace = cage.makeWorkspace('below');
    mkdirSync(join(workspace, 'app/.git/hooks'), { recursive: true });
    chmodSync(join(workspace, 'app'), 0o777);
    const ended = await cage.sh(
      'cd app; for f in .envrc AGENTS.md .vscode/tasks.json .git/hooks/pre-commit; do mkdir -p $(dirname $f); echo evil > $f && echo "made $f"; done 2>/dev/null; mv .git away; mv ../app ../other; echo x > own; true',
      { workspace },
    );
    expect(ended.stdout).toBe('');
    expect(readdirSync(workspace, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      'app',
      'app/.git',
      'app/.git/hooks',
      'app/own',
    ]);
  });

  it('a workspace that its user has write-protected is refused, and the way out is told', async () => {
    const workspace = cage.makeWorkspace('closed');
    chmodSync(workspace, 0o555);
    const ended = await cage.sh('true', { workspace });
    if (kind === 'root') return expect(ended).toMatchObject({ code: 0 });
    expect(ended.fault).toMatchObject({
      code: 'SANDBOX_SCOPE_DENIED',
      reason: 'the workspace is yours and write-protected',
      help: expect.stringContaining('`chmod u+w`'),
    });
  });

  it.runIf(kind === 'user')(
    "somebody else's folder that cannot be written is used as it is",
    async () => {
      const workspace = '/usr/share/misc';
      const ended = await cage.sh('ls -a | head -1; echo x > .envrc; mkdir .git', { workspace });
      expect(ended).toMatchObject({ kind: 'exited', stdout: '.\n' });
      expect(existsSync(join(workspace, '.envrc'))).toBe(false);
    },
  );

  it('what a command made of such names elsewhere is told, and guarded from then on', async () => {
    const workspace = cage.makeWorkspace('elsewhere');
    const made = await cage.sh('mkdir -p sub new/.git; echo evil > sub/.envrc', { workspace });
    expect(made.posture.weaknesses).toContain(
      'other programs obey what appeared meanwhile: `new/.git`, `sub/.envrc`; look at it before you use it',
    );
    const next = await cage.sh('echo more >> sub/.envrc; mkdir new/.git/hooks', { workspace });
    expect(next.stderr).toMatch(/sub\/\.envrc: Read-only[^]*hooks.*Read-only/);
    expect(next.posture.weaknesses.join()).not.toContain('appeared');
  });

  it('what its owner changed meanwhile is left where it is', async () => {
    const workspace = cage.makeWorkspace('changing');
    const ended = await cage.sh('echo up; until [ -e seen ]; do :; done; cat .envrc', {
      workspace,
      onOutput: () => {
        writeFileSync(join(workspace, '.envrc'), 'mine');
        writeFileSync(join(workspace, 'seen'), '');
      },
    });
    expect(ended).toMatchObject({ code: 0, stdout: 'up\n' });
    const said = ended.posture.weaknesses.includes('`.envrc` was changed meanwhile and stays');
    expect(said).toBe(warmth === 'cold');
    expect(readFileSync(join(workspace, '.envrc'), 'utf8')).toBe('mine');
    expect(readdirSync(workspace)).toEqual(['.envrc', 'seen']);
  });

  it('what its owner saves by renaming meanwhile is seen inside, and that is told', async () => {
    const workspace = cage.makeWorkspace('renaming');
    writeFileSync(join(workspace, '.env'), 'OLD=1\n');
    const ended = await cage.sh('echo up; until [ -e seen ]; do :; done; true', {
      workspace,
      onOutput: () => {
        writeFileSync(join(workspace, 'draft'), 'NEW=1\n');
        renameSync(join(workspace, 'draft'), join(workspace, '.env'));
        writeFileSync(join(workspace, 'seen'), '');
      },
    });
    expect(ended.posture.weaknesses).toContain(
      'a guarded name was exchanged from outside while the command ran, which took its guard off',
    );
    const quiet = await cage.sh('cat .env', { workspace });
    expect(quiet.stdout).toBe('');
    expect(quiet.posture.weaknesses.join()).not.toContain('exchanged');
  });

  it('masks of one sandbox stay while another of the same workspace lives', async () => {
    const workspace = cage.makeWorkspace('shared');
    const longer = Promise.withResolvers<void>();
    const second = cage.sh(
      'echo up; until [ -e alone ]; do :; done; echo evil > .envrc; mkdir .git/hooks',
      { workspace, onOutput: () => longer.resolve() },
    );
    await longer.promise;
    await cage.sh('true', { workspace });
    writeFileSync(join(workspace, 'alone'), '');
    expect((await second).stderr).toContain('.envrc: Read-only file system');
    expect(readdirSync(workspace)).toEqual(['alone']);
  });

  it('secrets are hidden under every name and from every side', async () => {
    linkSync(join(cage.workspace, '.env'), join(cage.workspace, 'deep/harmless.txt'));
    symlinkSync('deep/harmless.txt', join(cage.workspace, 'alias.txt'));
    const paths = [
      '.env deep/harmless.txt alias.txt deep/er/.env.production deep/er/id_ed25519',
      '/proc/self/root/workspace/.env /proc/self/cwd/.env /proc/1/root/workspace/.env',
      './deep/../.env deep/er/../er/id_ed25519',
    ].join(' ');
    const ended = await cage.sh(
      `for p in ${paths}; do cat $p; cp $p copy; ln $p link; ln -s $p soft; cat copy link soft; rm -f copy link soft; done; chmod 777 .env; mv .env x; rm -f .env; mv deep/er away; mv deep away; tar cf - . | grep -c ${CANARY}; cat .env.example`,
    );
    expect(ended.stdout).not.toContain(CANARY);
    expect(ended.stdout).toBe('0\nSAMPLE=1\n');
    expect(readFileSync(join(cage.workspace, '.env'), 'utf8')).toBe(CANARY);
    expect(readFileSync(join(cage.workspace, 'deep/er/id_ed25519'), 'utf8')).toBe(CANARY);
  });

  it('what programs obey is written under none of its names', async () => {
    cage.put('.git/hooks/post-merge', 'kept');
    cage.put('.npmrc', 'kept');
    const links = { 'notes.txt': '.git/hooks/post-merge', 'deep/er/rc': '.npmrc' };
    for (const [name, of] of Object.entries(links)) {
      linkSync(join(cage.workspace, of), join(cage.workspace, name));
    }
    const ended = await cage.sh(
      `for f in ${Object.keys(links).join(' ')}; do cat $f; for w in "tee $f" "chmod 777 $f" "rm -f $f" "mv $f away" "mv deep away" "ln $f third"; do echo evil | $w >/dev/null && echo "did $w"; done; done 2>/dev/null; true`,
    );
    expect(ended.stdout).toBe('keptkept');
    for (const of of Object.values(links)) {
      expect(readFileSync(join(cage.workspace, of), 'utf8')).toBe('kept');
      rmSync(join(cage.workspace, of));
    }
  });

  it('a protected name that is a link is refused, since a link cannot be guarded', async () => {
    const workspace = cage.makeWorkspace('linked');
    symlinkSync('/tmp', join(workspace, '.vscode'));
    expect(await cage.run({ workspace })).toMatchObject({
      kind: 'refused',
      fault: {
        kind: 'WorkspaceScopeDenied',
        reason: '`.vscode` is a link, and a link cannot be guarded',
      },
    });
  });

  it('a file cannot be given the rights of its owner, and no device can be made', async () => {
    const ended = await cage.perl(
      `open(my $f, '>', 'plain'); close $f;
       print "chmod\\n" if chmod(04755, 'plain'); print "chmod2\\n" if chmod(02755, 'plain');
       use Fcntl; print "open\\n" if sysopen(my $g, 'set', O_CREAT|O_WRONLY, 06755);
       print "null $!\\n" if system('mknod dev c 1 3 2>/dev/null') == 0;
       system('mkdir -m 2755 setgid 2>/dev/null'); system('mkfifo pipe && rm pipe');`,
    );
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    const modes = await cage.sh('find . -perm /6000; find . -type b -o -type c');
    expect(modes.stdout).toBe('');
  });

  it('words keep their meaning, whatever they look like', async () => {
    const words = [
      '--bind',
      '/',
      '/x',
      "'; touch hurt; '",
      '$(touch hurt)',
      '`touch hurt`',
      'a\nb',
      '-n',
      '',
      '\\',
      '*',
      '"',
      '\u{1f600}',
      '\t',
    ];
    const ended = await cage.perlWords('print join("|", @ARGV)', words);
    expect(ended.stdout).toBe(words.join('|'));
    expect(existsSync(join(cage.workspace, 'hurt'))).toBe(false);
  });

  it('a program or a folder may be called like an option', async () => {
    cage.put('--bind', '#!/bin/sh\npwd\n', 0o755);
    cage.putFolder("--ro-bind '$(x)");
    const ended = await cage.run({ executable: '../--bind', directory: "--ro-bind '$(x)" });
    expect(ended.stdout).toBe("/workspace/--ro-bind '$(x)\n");
  });

  it.each(['..', '/etc', 'deep/../..', 'missing', 'up-link', ''])(
    'the folder %j is not one to work in',
    async (directory) => {
      const link = join(cage.workspace, 'up-link');
      if (!existsSync(link)) symlinkSync('/', link);
      expect(await cage.run({ directory })).toMatchObject({
        kind: 'refused',
        fault: { kind: 'WorkspaceScopeDenied' },
      });
    },
  );

  it('a workspace is taken only by its own path', async () => {
    symlinkSync(cage.workspace, join(cage.folder, `by-link-${kind}`));
    const paths = [
      'relative',
      '/',
      `${cage.workspace}/../workspace`,
      join(cage.folder, `by-link-${kind}`),
      join(cage.folder, 'none'),
    ];
    for (const workspace of paths) {
      expect(await cage.run({ workspace })).toMatchObject({
        kind: 'refused',
        fault: { kind: 'WorkspaceScopeDenied', code: 'SANDBOX_SCOPE_DENIED' },
      });
    }
  });

  it('a folder with a secret cannot be exchanged by a neighbour while another sandbox starts', async () => {
    const workspace = cage.makeWorkspace('swapped');
    mkdirSync(join(workspace, 'b'));
    writeFileSync(join(workspace, 'b/.env'), CANARY);
    const up = Promise.withResolvers<void>();
    const swapping =
      'echo up; until [ -e stop ]; do mv b c; ln -s /tmp b; mv -T c b; rm -rf b; mkdir d; mv d e; rmdir e; done 2>/dev/null';
    const other = cage.sh(swapping, { workspace, onOutput: () => up.resolve() });
    await up.promise;
    const outcomes = [];
    for (let left = 10; left > 0; left -= 1) {
      outcomes.push(await cage.sh('cat b/.env c/.env; ls -A', { workspace }));
    }
    writeFileSync(join(workspace, 'stop'), '');
    await other;
    expect(outcomes.map(({ stdout }) => stdout).join('')).not.toContain(CANARY);
    expect(outcomes.some(({ kind: how }) => how === 'exited')).toBe(true);
    expect(readFileSync(join(workspace, 'b/.env'), 'utf8')).toBe(CANARY);
  });

  it('very long names and very deep folders do no harm', async () => {
    const ended = await cage.perl(
      `mkdir 'abyss'; chdir 'abyss'; for (1..40) { mkdir 'd'; chdir 'd' or last; } print "down\\n";`,
    );
    expect(ended.stdout).toBe('down\n');
    const long = await cage.run({ executable: 'x'.repeat(5000) });
    expect(long).toMatchObject({ kind: 'refused', fault: { kind: 'SpawnFailed' } });
    const many = await cage.run({ executable: 'true', arguments: ['x'.repeat(200_000)] });
    expect(many).toMatchObject({ kind: 'refused', fault: { kind: 'InvalidInput' } });
  });

  it('nested repositories and bare ones are guarded like the first', async () => {
    const workspace = cage.makeWorkspace('nested');
    await cage.sh('mkdir -p sub && cd sub && git init -q . && cd .. && git init -q --bare store', {
      workspace,
    });
    const ended = await cage.sh(
      'echo x > sub/.git/config; echo x > store/config; echo x > store/hooks/update; mv sub other; mv store other; git -C sub status --short',
      { workspace },
    );
    expect(ended.code).toBe(0);
    expect(readdirSync(workspace)).toEqual(['store', 'sub']);
    expect(readFileSync(join(workspace, 'store/config'), 'utf8')).not.toBe('x\n');
  });

  it('what a sudden end left of the guards is removed by the next host', async () => {
    await using doomed = await Cage.start({ kind, warmth });
    const up = Promise.withResolvers<void>();
    void doomed.sh('echo up; sleep 600', { onOutput: () => up.resolve() });
    await up.promise;
    await doomed.kill();
    expect(readdirSync(doomed.workspace)).toContain('.envrc');
    mkdirSync(join(doomed.workspace, '.vscode', 'mine'));
    await doomed.restart();
    expect(readdirSync(doomed.workspace)).toEqual(['.vscode']);
  });

  it('all of this was tried in the kind of sandbox that it says', () => {
    expect(cage.warmRuns > 0).toBe(warmth !== 'cold');
  });
});
