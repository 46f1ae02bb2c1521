/** What makes a program one that runs other programs. */
export type DeniedKind = 'shell' | 'interpreter' | 'multi-call' | 'loader' | 'starter';

export interface Advice {
  readonly kind: DeniedKind;
  /** The name in the list below that was recognised. */
  readonly name: string;
  /** How it is made to run another program; empty for those that exist for nothing else. */
  readonly how: string;
}

const SHELLS =
  'sh bash rbash dash ash hush zsh rzsh fish csh tcsh ksh rksh ksh93 mksh lksh oksh loksh pdksh yash posh rc es elvish nu oil osh ysh xonsh ion murex pwsh powershell cmd command wish sash mrsh brush';

const INTERPRETERS =
  'python pythonw pypy ipython perl ruby irb rake node nodejs deno bun qjs quickjs d8 php php-cgi lua luajit tclsh expect guile racket scheme mit-scheme chez petite csi gosh scsh clisp sbcl ecl emacs java jshell groovy kotlin scala clojure jruby julia rscript r octave ocaml ocamlrun ghci runghc runhaskell erl escript elixir iex swift dotnet mono wine wasmtime wasmer cscript wscript mshta osascript gst gjs seed jsc pico8 gnuplot bc dc sqlite3 psql mysql mariadb mongosh redis-cli';

const LOADERS = 'ld.so ld-linux ld-musl ld-uclibc rundll32 regsvr32';

const MULTI_CALL = 'busybox toybox coreutils uutils sbase-box ubase-box';

/** Known ways, one for each, as far as they are known: the list is advice, and never complete. */
const STARTERS: Readonly<Record<string, string>> = {
  ...simple('env nohup nice ionice chrt taskset setsid stdbuf timeout time watch unbuffer script'),
  ...simple(
    'sudo doas su runuser setpriv pkexec chroot unshare nsenter bwrap firejail systemd-run',
  ),
  ...simple('xargs parallel entr flock start-stop-daemon daemonize screen tmux dtach at batch'),
  ...simple('strace ltrace gdb lldb perf valgrind rr qemu-user catchsegv prlimit choom numactl'),
  ...simple(
    'run-parts dbus-launch dbus-run-session xvfb-run faketime fakeroot proot eatmydata torsocks',
  ),
  ...simple('crontab open xdg-open start docker podman nerdctl ctr runc crun kubectl machinectl'),
  find: '-exec',
  fd: '--exec',
  fdfind: '--exec',
  rg: '--pre',
  ...each('awk gawk mawk nawk original-awk', 'system()'),
  ...each('sed ssed', 'the command `e`'),
  ...each(
    'vi vim nvim view vimdiff ex ed red nano emacs emacsclient joe mcedit',
    'its own commands',
  ),
  ...each('less more most man pager lesspipe', 'LESSOPEN and `!`'),
  ...each('tar bsdtar gtar star', '--checkpoint-action and --use-compress-program'),
  ...each('zip unzip', '-TT'),
  ...each('cpio rsync', 'a remote shell'),
  sort: '--compress-program',
  split: '--filter',
  ...each('git hub gh svn hg bzr fossil cvs', 'hooks, aliases and helpers'),
  ...each('ssh scp sftp autossh sshfs ssh-keygen ssh-add ssh-agent', 'ProxyCommand and libraries'),
  ...each('curl wget', 'reading and writing any file by its options'),
  ...each('nc ncat netcat socat telnet ftp lftp', 'an option that runs a program'),
  openssl: '-engine and -provider',
  ...each(
    'make gmake bmake ninja samu cmake ctest meson scons bazel buck just task',
    'its recipes',
  ),
  ...each('autoconf automake autoreconf m4 configure libtool pkg-config', 'macros'),
  ...each('gcc g++ cc c++ cpp c89 c99 clang clang++ tcc rustc go javac as ld gold lld', 'plugins'),
  ...each('cargo rustup mvn gradle ant sbt lein cabal stack dune opam zig nim', 'build scripts'),
  ...each('npm npx yarn yarnpkg pnpm pnpx corepack bower', 'scripts of packages'),
  ...each(
    'pip pipx uv uvx poetry conda mamba gem bundle bundler composer cpan luarocks',
    'scripts',
  ),
  ...each(
    'apt apt-get aptitude dpkg rpm dnf yum zypper pacman apk brew snap flatpak nix',
    'scripts',
  ),
  ...each('mount umount fusermount systemctl service init telinit ip tc', 'the machine'),
  ...each('ffmpeg convert magick gs latex tex pdftex pdflatex xetex lualatex', 'shell escapes'),
  ...each('mail mailx mutt sendmail', 'pipes'),
  ...each('ldd gprof dmesg journalctl', 'a loader or pager'),
  ...each('jq yq', 'nothing yet: modules are read from any folder'),
  install: '--strip-program',
  logrotate: 'its scripts',
  ...each('tcpdump nmap', '-z and scripts'),
};

const LISTS: readonly (readonly [DeniedKind, string])[] = [
  ['shell', SHELLS],
  ['interpreter', INTERPRETERS],
  ['multi-call', MULTI_CALL],
  ['loader', LOADERS],
];

const ADVICE: ReadonlyMap<string, Advice> = new Map<string, Advice>([
  ...Object.entries(STARTERS).map(([name, how]) => [name, { kind: 'starter', name, how }] as const),
  ...LISTS.flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, { kind, name, how: '' }] as const),
  ),
]);

/**
 * What is known about a program of that name. `python3.11`, `Node20.exe` and `x86_64-linux-gnu-gcc-12`
 * are what they are. Contract: `undefined` says that nothing is known, not that it is harmless.
 */
export function adviceFor(fileName: string): Advice | undefined {
  const name = fileName
    .trim()
    .toLowerCase()
    .replace(/\.(?:exe|com|cmd|bat)$/, '');
  return spellings(name)
    .map((spelling) => ADVICE.get(spelling))
    .find((advice) => advice !== undefined);
}

/** Every denied name there is, for whoever documents them. */
export function deniedNames(): readonly Advice[] {
  return [...ADVICE.values()];
}

const TRIPLET = /^[a-z0-9_]+-(?:[a-z0-9_]+-)*(?:gnu|musl|mingw32|eabi|gnueabihf|musleabihf)-/;
/** From the first digit on it is a version, whatever follows: `perl5.36-x86_64`, `python3.11-dbg`. */
const VERSION = /[-._]?\d.*$/;
/** Parts of a program that are programs: `git-upload-pack`, `ld-linux-x86-64.so.2`. */
const FAMILIES = ['git', 'ld-linux', 'ld-musl', 'ld-uclibc', 'busybox', 'toybox', 'bash'];

function spellings(name: string): readonly string[] {
  const plain = name.replace(TRIPLET, '');
  const family = FAMILIES.filter((stem) =>
    [name, plain].some((spelt) => spelt.startsWith(`${stem}-`) || spelt.startsWith(`${stem}.`)),
  );
  return [name, plain, plain.replace(VERSION, ''), ...family];
}

function simple(names: string): Readonly<Record<string, string>> {
  return each(names, '');
}

function each(names: string, how: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, how]));
}
