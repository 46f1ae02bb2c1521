import { OBEYED_NAMES } from '../tier-c-bubblewrap/guard/rules.ts';
import { namePattern } from './profile-text.ts';

/** Patterns over the whole path, so that names which do not exist yet are covered as well. */
export interface GuardPatterns {
  /** Never written, nor anything below. */
  readonly obeyed: readonly string[];
  /** Neither made, moved nor removed: what is obeyed could be carried in or out with it. */
  readonly parents: readonly string[];
  /** Neither read nor written. */
  readonly secret: readonly string[];
  /** Readable although they look secret. */
  readonly samples: readonly string[];
}

const anywhere = (pattern: string) => `/${pattern}(/|$)`;
const exactly = (pattern: string) => `/${pattern}$`;

export function guardPatterns(): GuardPatterns {
  const obeyed = ['.git', ...OBEYED_NAMES];
  const parents = obeyed
    .filter((name) => name.includes('/'))
    .map((name) => name.split('/')[0] ?? '');
  return {
    obeyed: obeyed.map((name) => anywhere(namePattern(name))),
    parents: [...new Set(parents)].map((name) => exactly(namePattern(name))),
    secret: SECRETS.map(anywhere),
    samples: ['example', 'sample', 'template', 'dist', 'defaults'].map((kind) =>
      exactly(`${namePattern('.env')}[.]${namePattern(kind)}`),
    ),
  };
}

const names = (...all: readonly string[]) => `(${all.map(namePattern).join('|')})`;

/** What the guard of the other platform hides, in the words of this one. */
const SECRETS: readonly string[] = [
  `${namePattern('.env')}([.][^/]+)?`,
  `${namePattern('id_')}${names('rsa', 'dsa', 'ecdsa', 'ed25519')}(${namePattern('_sk')})?`,
  `[^/]*[.]${names('key', 'p12', 'pfx', 'jks', 'keystore', 'kdbx', 'ppk')}`,
  `([^/]*[-_.])?${names('key', 'privkey', 'private')}[0-9]*${namePattern('.pem')}`,
  `[.]${names('netrc', 'pgpass', 'git-credentials', 'pypirc', 'htpasswd', 'vault-token', 'dockercfg')}`,
  `(${namePattern('credentials')}|${namePattern('service')}[-_]${namePattern('account')}[^/]*)${namePattern('.json')}`,
  `${namePattern('secrets')}[.]${names('toml', 'yaml', 'yml', 'json')}`,
  `[.]${names('ssh', 'gnupg', 'aws', 'azure', 'kube', 'gcloud')}`,
];
