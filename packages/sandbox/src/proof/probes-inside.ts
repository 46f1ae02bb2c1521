import { readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../tier-b-process/shell-word.ts';
import { type Probe, refused, shows, works } from './probe.ts';
import {
  FURNISHED,
  GIT_CONFIG,
  INNER,
  type Site,
  corePatternChanged,
  foundAt,
  readOr,
} from './site.ts';

const NAMESPACES = ['user', 'pid', 'mnt', 'ipc', 'uts', 'net'] as const;

/** Everything that a shell can try or see. */
export function insideProbes(site: Site): readonly Probe[] {
  return [
    ...rightsProbes(),
    ...filesProbes(site),
    ...guardProbes(site),
    ...kernelProbes(site),
    ...processProbes(),
  ];
}

/** What the kernel says of a process in there. */
function rightsProbes(): readonly Probe[] {
  const line = (field: string) =>
    `while read -r n v; do case $n in ${field}) echo "$v";; esac; done < /proc/self/status`;
  return [
    shows(
      {
        id: 'rights.capabilities',
        says: 'have a capability',
        line: 'z=; while read -r n v; do case "$n $v" in "Cap"*" 0000000000000000") ;; Cap*) z="$z$n$v ";; esac; done < /proc/self/status; echo "${z:-none}"',
      },
      { expected: 'none', holds: /^none$/ },
    ),
    shows(
      { id: 'rights.new', says: 'gain rights by a set-id program', line: line('NoNewPrivs:') },
      { expected: 'NoNewPrivs 1', holds: /^1$/ },
    ),
    shows(
      { id: 'rights.filter', says: 'make calls without a filter', line: line('Seccomp:') },
      { expected: 'Seccomp 2', holds: /^2$/ },
    ),
    shows(
      { id: 'rights.root', says: 'be root', line: 'id -u' },
      { expected: 'another user', holds: /^[1-9]\d*$/ },
    ),
    shows(
      {
        id: 'rights.namespaces',
        says: 'share a namespace of the machine',
        line: `for n in ${NAMESPACES.join(' ')}; do readlink /proc/self/ns/$n; done`,
      },
      {
        expected: 'none',
        holds: (observed) => sharedNamespaces(observed).length === 0,
        tell: (observed) => sharedNamespaces(observed).join(' ') || 'none',
      },
    ),
  ];
}

function sharedNamespaces(observed: string): readonly string[] {
  const theirs = observed.split(' ');
  return NAMESPACES.filter((name, place) => {
    const seen = theirs[place] ?? '';
    return !seen.startsWith(`${name}:[`) || seen === readlinkSync(`/proc/self/ns/${name}`);
  });
}

function filesProbes({ outside, workspace, token }: Site): readonly Probe[] {
  const at = (name: string) => join(workspace, name);
  const write = (id: string, folder: string): Probe => {
    const path = join(folder, `.palyra-${token}`);
    return refused({
      id: `files.write-${id}`,
      says: `write to \`${folder}\``,
      line: `: > ${path}`,
      outside: () => foundAt(path),
    });
  };
  return [
    works({
      id: 'files.write-workspace',
      says: 'write in the workspace',
      line: 'echo made > inner/made && read -r x < inner/made',
      outside: () => {
        const made = statSync(at('inner/made'), { throwIfNoEntry: false });
        return made?.uid === statSync(workspace).uid ? '' : "it is not its owner's";
      },
    }),
    refused({
      id: 'files.read-outside',
      says: 'read a file outside the workspace',
      line: `read -r x < ${shellWord(outside)}`,
    }),
    refused({
      id: 'files.read-parent',
      says: 'read that file by `..`',
      line: 'read -r x < ../outside.txt',
    }),
    refused({
      id: 'files.read-link',
      says: 'read that file by a link',
      line: `ln -s ${shellWord(outside)} inner/link; read -r x < inner/link`,
    }),
    shows(
      { id: 'files.users', says: "read the machine's users", line: 'cut -d: -f1 /etc/passwd' },
      { expected: 'only its own', holds: /^sandbox$/ },
    ),
    refused({ id: 'files.shadow', says: 'read passwords', line: 'read -r x < /etc/shadow' }),
    refused({ id: 'files.homes', says: 'list homes', line: 'ls /root /home' }),
    write('usr', '/usr'),
    write('etc', '/etc'),
    write('root', '/'),
    write('dev', '/dev'),
    refused({
      id: 'files.set-id',
      says: 'make a set-id file',
      line: ': > inner/set-id && chmod 4755 inner/set-id',
      outside: () =>
        ((statSync(at('inner/set-id'), { throwIfNoEntry: false })?.mode ?? 0) & 0o6000) === 0
          ? ''
          : 'there is a set-id file',
    }),
  ];
}

/** Names in a workspace that decide what is run later, and what is secret. */
function guardProbes({ workspace }: Site): readonly Probe[] {
  const absent = (name: string) => () => foundAt(join(workspace, name));
  return [
    refused({
      id: 'guard.hooks',
      says: 'write a hook of the repository',
      line: ': > .git/hooks/pre-commit',
      outside: absent('.git/hooks/pre-commit'),
    }),
    refused({
      id: 'guard.config',
      says: "write the repository's config",
      line: ': >> .git/config',
      outside: () =>
        readOr(join(workspace, '.git', 'config'), '') === GIT_CONFIG ? '' : 'it was changed',
    }),
    refused({ id: 'guard.secret', says: 'read `.env`', line: 'read -r x < .env' }),
    refused({
      id: 'guard.link',
      says: 'read `.env` by another link',
      line: 'ln .env inner/other && read -r x < inner/other',
    }),
    refused({
      id: 'guard.missing',
      says: 'make `.envrc`, which is missing',
      line: 'echo true > .envrc',
    }),
  ];
}

function kernelProbes(site: Site): readonly Probe[] {
  const unchanged = () => corePatternChanged(site);
  return [
    refused({
      id: 'kernel.sysctl',
      says: 'open `core_pattern` to write',
      line: ': >> /proc/sys/kernel/core_pattern',
      outside: unchanged,
    }),
    refused({
      id: 'kernel.sysrq',
      says: 'open `sysrq-trigger` to write',
      line: ': >> /proc/sysrq-trigger',
    }),
    refused({
      id: 'kernel.memory',
      says: "read the kernel's memory",
      line: 'read -r x < /proc/kcore',
    }),
    refused({ id: 'kernel.devices', says: 'list `/sys`', line: 'ls /sys' }),
  ];
}

function processProbes(): readonly Probe[] {
  return [
    refused({
      id: 'processes.environment',
      says: "read the first process's variables",
      line: 'read -r x < /proc/1/environ',
    }),
    refused({
      id: 'processes.words',
      says: "read the first process's words",
      line: 'read -r x < /proc/1/cmdline',
    }),
    refused({
      id: 'processes.memory',
      says: "write the first process's memory",
      line: ': 1<> /proc/1/mem',
    }),
    shows(
      {
        id: 'processes.others',
        says: "see the machine's processes",
        line: 'set -- /proc/[0-9]*; echo $#',
      },
      { expected: 'its own few', holds: /^[1-9]$/ },
    ),
    shows(
      {
        id: 'network.interfaces',
        says: "see the machine's network",
        line: 'z=; while read -r n x; do case $n in lo:*|Inter-*|face) ;; *) z="$z$n ";; esac; done < /proc/net/dev; echo "${z:-none but lo}"',
      },
      { expected: 'none but lo', holds: /^none but lo$/ },
    ),
  ];
}

/** Contract: after everything that a probe made on purpose was removed. */
export function leftovers(workspace: string): string {
  const left = readdirSync(workspace).filter((name) => !FURNISHED.includes(name));
  const hooks = ['.git/hooks', INNER].flatMap((name) => readdirSync(join(workspace, name)));
  const secret = readFileSync(join(workspace, '.env'), 'utf8');
  const names = [...left, ...hooks, ...(secret === '' ? ['.env'] : [])];
  return names.map((name) => `\`${name}\``).join(', ');
}
