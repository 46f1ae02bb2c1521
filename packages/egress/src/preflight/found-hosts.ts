import { readAuthority, readHost } from '../canonical-host.ts';

/** A host as a word of a command names it; nobody has looked yet whether it is one. */
export interface FoundHost {
  /** As it was written, without user, port and path. */
  readonly host: string;
  /** 0 where the word does not tell, and no custom does. */
  readonly port: number;
}

/**
 * Hosts that the words of a command name openly: addresses of the web and of other schemes,
 * remotes as git and scp write them, `HOST:PORT`. Pure. It finds what is meant to be found: a host
 * in a file, in a variable or in disguise stays unseen, so nothing may rest on it.
 */
export function findHosts(words: readonly string[]): readonly FoundHost[] {
  const found = words.flatMap((word) => {
    const inUrls = fromUrls(word);
    return inUrls.length > 0 ? inUrls : fromValue(valueOf(word));
  });
  return [...new Map(found.map((each) => [`${each.host}:${each.port}`, each])).values()];
}

/** Anywhere in a word: `git+https://…`, `--index-url=https://…`, a script for a shell. */
const URL_START = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,31}):\/\/([^\s/?#'"`<>|;&(),]*)/gi;

/** Ports that nobody writes. A scheme within a scheme counts by its last part: `git+ssh`. */
const CUSTOMARY_PORTS: Readonly<Record<string, number>> = {
  amqp: 5672,
  ftp: 21,
  git: 9418,
  http: 80,
  https: 443,
  ldap: 389,
  ldaps: 636,
  mongodb: 27_017,
  mysql: 3306,
  postgres: 5432,
  postgresql: 5432,
  redis: 6379,
  rsync: 873,
  scp: 22,
  sftp: 22,
  ssh: 22,
  ws: 80,
  wss: 443,
};
const SSH_PORT = 22;

function fromUrls(word: string): readonly FoundHost[] {
  return [...word.matchAll(URL_START)].flatMap(([, scheme = '', written = '']) => {
    const name = scheme.toLowerCase().split('+').at(-1) ?? '';
    // Without a host it is a path on this machine; but of the web some programs then read on.
    if (written === '') return WEB.has(name) ? [{ host: `${scheme}:///`, port: 0 }] : [];
    const authority = withoutUser(written);
    const read = readAuthority(authority);
    if (read === undefined) return [{ host: authority, port: 0 }];
    return [{ host: read.host, port: read.port ?? CUSTOMARY_PORTS[name] ?? 0 }];
  });
}

const WEB: ReadonlySet<string> = new Set(['ftp', 'http', 'https', 'ws', 'wss']);

/** Before a backslash some programs end the host and others the user: then it stays, and is no host. */
function withoutUser(written: string): string {
  return written.includes('\\') ? written : written.slice(written.lastIndexOf('@') + 1);
}

/** What an option is set to, or the word itself. */
function valueOf(word: string): string {
  return /^--?[\w-]+=(.*)$/s.exec(word)?.[1] ?? word;
}

/** `git@code.example:team/repo`, `backup@[2001:db8::1]:/srv`. */
const REMOTE_OF_USER = /^[^\s/@:]+@(\[[^\]\s]*\]|[^\s/:@[\]]+):(?!\d+$)/;
/** `code.example:team/repo`: only with a dot, since `name:word` means a hundred other things. */
const REMOTE = /^([^\s/:@[\]]+):(?!\d+(?:$|[/:]))(?=[^\s:])/;
/** `db.example:5432`, also with a user before or a path after it. */
const HOST_AND_PORT = /^(?:[^\s/@:]+@)?(\[[^\]\s]*\]|[^\s/:@[\]]+):(\d{1,5})(?:\/\S*)?$/;

/** After `NAME@` package managers write these in the place of a host. */
const NOT_HOSTS: ReadonlySet<string> = new Set([
  'exec',
  'file',
  'git',
  'link',
  'npm',
  'patch',
  'portal',
  'workspace',
]);

function fromValue(value: string): readonly FoundHost[] {
  const [, host = '', port = ''] = HOST_AND_PORT.exec(value) ?? [];
  if (isLikeHost(host)) return [{ host, port: Number(port) }];
  const ofUser = REMOTE_OF_USER.exec(value)?.[1];
  if (ofUser !== undefined && !NOT_HOSTS.has(ofUser)) return [{ host: ofUser, port: SSH_PORT }];
  const plain = REMOTE.exec(value)?.[1];
  return plain !== undefined && isLikeHost(plain) ? [{ host: plain, port: SSH_PORT }] : [];
}

/** `build:3` and `12:30` are no hosts; `localhost:3000` is. */
function isLikeHost(host: string): boolean {
  if (host === 'localhost' || host.startsWith('[')) return true;
  return host.includes('.') && readHost(host) !== undefined;
}
