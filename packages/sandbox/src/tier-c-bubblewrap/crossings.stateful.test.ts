import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ARM64_SYSCALLS } from '../seccomp/syscalls-arm64.ts';
import { X86_64_SYSCALLS } from '../seccomp/syscalls-x86-64.ts';
import { CAGES, Cage } from './cage.fixture.ts';

const NUMBERS: Readonly<Record<string, number>> =
  process.arch === 'arm64' ? ARM64_SYSCALLS : X86_64_SYSCALLS;
const EXCHANGE = 2;
const AT_FDCWD = -100;

/** What Perl writes about each of some attempts. */
const TELL = 'sub tell_of { my ($what, $ok) = @_; print "$what ", $ok ? "worked" : "no", "\\n"; }';

describe.each(CAGES)('from a sandbox of $kind, $warmth', ({ kind, warmth }) => {
  let cage: Cage;
  beforeAll(async () => {
    cage = await Cage.start({ kind, warmth });
  });
  afterAll(() => cage[Symbol.asyncDispose]());
  afterEach(() => cage.pool('drain'));

  it('the memory of those who made it is neither read nor written', async () => {
    const ended = await cage.perl(
      `${TELL} for my $pid (1, getppid()) { for my $way ('<', '+<', '>') {
         my $is = open(my $file, $way, "/proc/$pid/mem"); tell_of("$pid $way", $is); }
         for my $name (qw(maps syscall stack auxv root/etc/passwd cwd/. exe)) {
           tell_of("$pid $name", open(my $file, '<', "/proc/$pid/$name") && defined(readline $file)); } }`,
    );
    expect(ended.stdout).not.toContain('worked');
    expect(ended.stdout.match(/ no\n/g)).toHaveLength(20);
  });

  it('nobody hears anything who waits at a pipe with a guarded name', async () => {
    const pipe = join(cage.workspace, '.bazelrc');
    execFileSync('mkfifo', ['-m', '0666', pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const ended = await cage.sh(
      'echo evil > .bazelrc || echo evil 1<> .bazelrc || cat .bazelrc || echo no',
    );
    expect(ended.stdout).toBe('no\n');
    expect(readSync(reader, Buffer.alloc(8))).toBe(0);
    closeSync(reader);
    rmSync(pipe);
  });

  it('nothing is put in the place of a guarded name, and none is exchanged away', async () => {
    cage.put('.npmrc', 'mine\n');
    cage.put('.env', 'TOKEN=canary\n');
    const ended = await cage.perl(
      `${TELL} mkdir 'evil'; open(my $f, '>', 'evil/x'); print $f "evil"; close $f;
       my $exchange = sub { syscall(${NUMBERS['renameat2']}, ${AT_FDCWD}, my $a = $_[0], ${AT_FDCWD}, my $b = $_[1], ${EXCHANGE}) == 0 };
       for my $name (qw(.npmrc .env .envrc AGENTS.md)) {
         tell_of("rename $name", rename('evil/x', $name)); tell_of("away $name", rename($name, 'stolen'));
         tell_of("exchange $name", $exchange->('evil/x', $name)); tell_of("unlink $name", unlink($name));
         tell_of("link $name", link($name, 'evil/second')); tell_of("over $name", link('evil/x', $name));
         tell_of("symlink $name", symlink('evil/x', $name)); tell_of("open $name", open(my $w, '>', $name)); }
       for my $name (qw(.vscode .git)) {
         tell_of("folder $name", rename('evil', $name)); tell_of("exchange $name", $exchange->('evil', $name));
         tell_of("rmdir $name", rmdir($name)); tell_of("in $name", open(my $w, '>', "$name/x")); }
       tell_of('the workspace', rename('/workspace', '/tmp/workspace'));`,
    );
    expect(ended.stdout).not.toContain('worked');
    expect(ended.stdout.match(/ no\n/g)).toHaveLength(41);
    expect(readFileSync(join(cage.workspace, '.npmrc'), 'utf8')).toBe('mine\n');
    expect(readFileSync(join(cage.workspace, '.env'), 'utf8')).toBe('TOKEN=canary\n');
    await cage.pool('drain');
    expect(readdirSync(cage.workspace).toSorted()).toEqual(['.env', '.npmrc', 'evil']);
  });

  it('a file without a name gets no guarded one', async () => {
    const ended = await cage.perl(
      `${TELL} my $fd = syscall(${NUMBERS['openat']}, ${AT_FDCWD}, my $d = '.', 020200002, 0600);
       tell_of('unnamed', $fd < 0);
       for my $name (qw(.envrc .mcp.json)) {
         my $from = "/proc/self/fd/$fd"; my $to = $name;
         tell_of("named $name", syscall(${NUMBERS['linkat']}, ${AT_FDCWD}, $from, ${AT_FDCWD}, $to, 0x400) == 0); }`,
    );
    expect(ended.stdout).toBe('unnamed no\nnamed .envrc no\nnamed .mcp.json no\n');
    expect(existsSync(join(cage.workspace, '.mcp.json'))).toBe(false);
  });

  it('a second name that a secret had before is as closed as the first', async () => {
    const secret = cage.put('.env.local', 'TOKEN=canary\n');
    const second = join(cage.workspace, 'harmless.txt');
    if (!existsSync(second)) linkSync(secret, second);
    const ended = await cage.sh('cat harmless.txt .env.local; cp harmless.txt copy; ls -l copy');
    expect(ended.stdout).not.toContain('canary');
  });

  it('nothing of one command is left in memory for the next', async () => {
    const leave = 'echo canary > /dev/shm/left; echo canary > /tmp/left; mkdir -p /tmp/home/.ssh';
    const put = await cage.sh(
      `${leave}; ipcmk -M 64 >/dev/null 2>&1; ls /dev/shm /tmp | grep -c left`,
    );
    expect(put.stdout).toBe('2\n');
    const found = await cage.sh(
      'cat /dev/shm/left /tmp/left; ls -A /dev/shm /tmp/home; ipcs -m | grep 0x',
    );
    expect(found.stdout).toBe('/dev/shm:\n\n/tmp/home:\n');
  });

  it('no terminal is typed into, no file system is made, no page is served late', async () => {
    const ended = await cage.perl(
      `${TELL} my $c = 'x'; for my $fd (0, 1, 2) { tell_of("type $fd", ioctl(STDIN, 0x5412, $c)); }
       tell_of('tty', open(my $t, '+<', '/dev/tty'));
       for my $name (qw(fuse userfaultfd kvm vhost-net net/tun loop-control mapper/control mem port)) {
         tell_of($name, open(my $d, '+<', "/dev/$name")); }`,
    );
    expect(ended.stdout).not.toContain('worked');
    expect(ended.stdout.match(/ no\n/g)).toHaveLength(13);
  });

  it('its descriptors are its streams, and none of them leads to a folder', async () => {
    const ended = await cage.perl(
      String.raw`opendir(my $d, '/proc/self/fd'); for my $fd (sort grep { /^\d+$/ } readdir $d) {
         my $to = readlink("/proc/self/fd/$fd") // 'gone'; print "$fd ", $to =~ s/\d+/N/gr, "\n" if $to !~ m{^/proc/}; }`,
    );
    expect(ended.stdout).toBe('0 pipe:[N]\n1 pipe:[N]\n2 pipe:[N]\n');
  });

  it('the lock on the workspace is not taken from whoever guards it', async () => {
    const ended = await cage.perl(
      `use Fcntl ':flock'; ${TELL} opendir(my $d, '/workspace'); tell_of('lock', flock($d, LOCK_EX | LOCK_NB));`,
    );
    expect(ended.stdout).toBe('lock no\n');
    expect((await cage.sh('echo next')).stdout).toBe('next\n');
  });

  it('a name that comes back is guarded again, and what lies on it is its owner’s', async () => {
    const { uid } = statSync(cage.workspace);
    for (let turn = 0; turn < 3; turn += 1) {
      const told = await cage.sh(
        '(echo x > .yarnrc) 2>/dev/null && echo wrote; ls -A .idea; sleep 0',
      );
      expect(told.stdout).toBe('');
      await cage.pool('drain');
      expect(existsSync(join(cage.workspace, '.yarnrc'))).toBe(false);
      expect(existsSync(join(cage.workspace, '.idea'))).toBe(false);
    }
    cage.put('.yarnrc', 'its own\n');
    expect((await cage.sh('cat .yarnrc')).stdout).toBe('its own\n');
    expect(statSync(join(cage.workspace, '.yarnrc')).uid).toBe(uid);
  });
});
