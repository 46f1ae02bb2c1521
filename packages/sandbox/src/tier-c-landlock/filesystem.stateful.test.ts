import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ARM64_SYSCALLS } from '../seccomp/syscalls-arm64.ts';
import { X86_64_SYSCALLS } from '../seccomp/syscalls-x86-64.ts';
import { CANARY, Den, KINDS } from './den.fixture.ts';

const CALLS = process.arch === 'arm64' ? ARM64_SYSCALLS : X86_64_SYSCALLS;

describe.each(KINDS)('files under Landlock, made by %s', (kind) => {
  let den: Den;
  beforeAll(async () => {
    den = await Den.open(kind);
  });
  afterAll(() => den[Symbol.asyncDispose]());

  it('cannot be read or listed outside, by any way there is', async () => {
    const { outside, workspace } = den;
    symlinkSync(outside, join(workspace, 'src/way-out'));
    const ways = [
      outside,
      'src/way-out',
      '../outside.txt',
      `/proc/self/root${outside}`,
      '/proc/self/cwd/../outside.txt',
      '/etc/passwd',
      '/etc/shadow',
      '/proc/1/environ',

      '/proc/self/environ',
      '/proc/self/status',
      '/dev/shm/.',
      '/sys/kernel/notes',
      '/proc/kcore',
    ];
    const { stdout, posture } = await den.sh(
      `for way in ${ways.join(' ')}; do cat "$way" 2>/dev/null && echo "read $way"; done; for folder in / /tmp /home /root /var /etc /proc /sys /dev ${den.folder}; do ls "$folder" 2>/dev/null && echo "listed $folder"; done; echo end`,
    );
    expect(stdout).toBe('end\n');
    expect(posture.executor).toBe('sandbox_tier_c_linux_landlock');
    expect(posture.weaknesses.join()).toContain('no namespace');
  });

  it('cannot be written, made, moved, linked or cut outside', async () => {
    const { folder, outside } = den;
    const before = statSync(outside);
    const { stdout } = await den.sh(
      `try() { "$@" 2>/dev/null && echo "worked: $*"; }; try cp /bin/true ${folder}/new; try mkdir ${folder}/new; try ln -s x ${folder}/new; try ln ${outside} src/hard; try mv ${outside} src/moved; try mv src ${folder}/moved; try truncate -s 0 ${outside}; try rm ${outside}; try mkfifo ${folder}/new; try cp /bin/true /tmp/palyra-new; try cp /bin/true /usr/palyra-new; try cp /bin/true /dev/shm/palyra-new; ( : >> ${outside} ) 2>/dev/null && echo appended; ( : > /proc/self/oom_score_adj ) 2>/dev/null && echo adjusted; echo end`,
    );
    expect(stdout).toBe('end\n');
    expect(readFileSync(outside, 'utf8')).toBe(CANARY);
    expect(statSync(outside).mtimeMs).toBe(before.mtimeMs);
    expect(readdirSync(folder).toSorted()).toEqual(['outside.txt', 'state', 'workspace']);
  });

  it('keep their modes, times and owners outside, also through links and descriptors', async () => {
    const { outside } = den;
    const before = statSync(outside);
    const { stdout } = await den.perl(
      `for my $path ('${outside}', '../outside.txt', 'src/way-out', '/proc/self/root${outside}', '/proc/self/cwd/../outside.txt', '${den.folder}', '${den.workspace}/..') { print "mode $path\\n" if chmod 0777, $path; print "time $path\\n" if utime 1, 1, $path; print "owner $path\\n" if chown $<, $(, $path; } for my $number (0..64) { my $path = "/proc/self/fd/$number"; chmod 0777, $path; utime 1, 1, $path; } print "end\\n"`,
    );
    expect(stdout).toBe('end\n');
    const after = statSync(outside);
    expect([after.mode, after.mtimeMs, after.uid]).toEqual([
      before.mode,
      before.mtimeMs,
      before.uid,
    ]);
  });

  it('can be used as usual in a folder that holds nothing guarded', async () => {
    const { stdout, stderr, code } = await den.sh(
      'cd src && echo one > a && cp -p a b && mv b c && ln a d && ln -s a e && mkdir -p f/g && rmdir f/g && chmod 750 a && touch -d 2020-01-02 a c && cat e && rm d && stat -c %a:%Y a && ls',
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toBe('one\n750:1577923200\na\nc\ne\nf\nway-out\n');
    expect(statSync(join(den.workspace, 'src/a')).mode & 0o777).toBe(0o750);
  });

  it('of secret names are neither read, nor by another name, nor are their modes set', async () => {
    den.put('.env', CANARY);
    linkSync(join(den.workspace, '.env'), join(den.workspace, 'src/other-name'));
    mkdirSync(join(den.workspace, 'deep/.ssh'), { recursive: true });
    den.put('deep/.ssh/anything', CANARY);
    const { stdout, posture } = await den.sh(
      'cat .env src/other-name deep/.ssh/anything /proc/self/cwd/.env 2>/dev/null; cp .env src/x 2>/dev/null; ln .env src/y 2>/dev/null; mv .env src/z 2>/dev/null; mv deep src/z 2>/dev/null; chmod 777 .env src/other-name deep/.ssh/anything deep 2>/dev/null; cat src/x src/y src/z 2>/dev/null; echo end',
    );
    expect(stdout).toBe('end\n');
    expect(posture.weaknesses.join()).toContain('`deep/.ssh` can be listed');
    expect(statSync(join(den.workspace, '.env')).mode & 0o777).toBe(0o644);
  });

  it('of protected names can be read, and neither changed nor made', async () => {
    den.put('.npmrc', 'kept');
    den.put('.git/config', 'kept');
    den.put('.git/hooks/pre-commit', 'kept');
    linkSync(join(den.workspace, '.git/config'), join(den.workspace, 'src/config'));
    const { stdout } = await den.sh(
      `cat .npmrc .git/config; for name in src/config .npmrc .git/config .git/hooks/pre-commit .git/hooks/new .envrc .vscode .cargo HEAD .mcp.json .palyra; do ( : > $name ) 2>/dev/null && echo "wrote $name"; mkdir $name 2>/dev/null && echo "made $name"; rm -rf $name 2>/dev/null; chmod 777 $name 2>/dev/null && echo "mode $name"; mv src/a $name 2>/dev/null && echo "moved to $name"; mv $name src/took 2>/dev/null && echo "moved $name"; ln -s src $name 2>/dev/null && echo "linked $name"; done; echo; echo end`,
    );
    expect(stdout).toBe('keptkept\nend\n');
    expect(readFileSync(join(den.workspace, '.git/hooks/pre-commit'), 'utf8')).toBe('kept');
    expect(readFileSync(join(den.workspace, '.git/config'), 'utf8')).toBe('kept');
    rmSync(join(den.workspace, 'src/config'), { force: true });
    expect(existsSync(join(den.workspace, '.envrc'))).toBe(false);
  });

  it('at the top can be changed where they lie, and the result says that none can be added', async () => {
    den.put('notes.txt', 'old');
    const { stdout, posture } = await den.sh(
      'echo new > notes.txt; cat notes.txt; echo x 2>/dev/null > added',
    );
    expect(stdout).toBe('new\n');
    expect(existsSync(join(den.workspace, 'added'))).toBe(false);
    expect(posture.weaknesses.join()).toContain(
      'no name can be made, renamed or removed directly in `.`',
    );
  });

  it('have no set-id bits and are no devices, however they are made', async () => {
    const { stdout } = await den.perl(
      `my ($device, $created) = ('src/device', 'src/created'); open my $f, '>', 'src/tool'; print 'chmod ' if chmod 04755, 'src/tool'; print 'node ' if 0 == syscall(${CALLS.mknodat}, -100, $device, 0020666, 0x103); print 'open ' if 0 <= syscall(${CALLS.openat}, -100, $created, 0101, 06755); print 'end'`,
    );
    expect(stdout).toBe('end');
  });

  it('in the temporary folder are its own, and gone afterwards', async () => {
    const first = await den.sh(
      'mkdir -p $TMPDIR/a/b && echo x > $TMPDIR/a/b/c && chmod 000 $TMPDIR/a && ls -d $HOME && echo $TMPDIR',
    );
    expect(first.stdout).toMatch(/home\n/);
    const second = await den.sh(`ls ${first.stdout.trim().split('\n').at(-1)} $TMPDIR`);
    expect(second.stdout).toContain('home');
    expect(second.stdout).not.toMatch(/^a$/m);
    await expect.poll(() => readdirSync(join(den.folder, 'state'))).toEqual(['canary']);
  });

  it('are those of one workspace: another one is outside', async () => {
    const workspace = join(den.workspace, 'src');
    const { stdout } = await den.sh('cat ../notes.txt ../.npmrc 2>/dev/null; ls; echo end', {
      workspace,
    });
    expect(stdout).not.toContain('new');
    expect(stdout).toContain('end');
  });

  it('of the host that are open are not handed down', async () => {
    const { stdout } = await den.perl(
      'for my $n (3..200) { if (open my $f, "<&=", $n) { my @s = stat $f; print "$n:", (-p $f ? "pipe" : -f $f ? "file" : "other"), ":$s[7] "; } } print join ",", sort keys %ENV;',
    );
    expect(stdout).toMatch(/^7:file:\d+ /);
    expect(stdout).not.toMatch(/\bCANARY\b/);
  });
});
