import { chmodSync, closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whom the programs of one sandbox trust. Contract: gone when disposed of. */
export interface Authorities extends Disposable {
  /** To be bound; it holds nothing yet. */
  readonly descriptor: number;
  /** Everybody whom the machine trusts, and one more. Contract: before anything in the sandbox reads it. */
  write(pem: string): void;
}

const O_PATH = 0o10000000;
const READ_BY_ALL = 0o644;
/** Where distributions keep theirs. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
] as const;

/** Variables by which programs are told where their authorities are. */
export const AUTHORITY_VARIABLES = [
  'SSL_CERT_FILE',
  'CURL_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
  'GIT_SSL_CAINFO',
  'REQUESTS_CA_BUNDLE',
] as const;

export function makeAuthorities(folder: string, name: string): Authorities {
  const path = join(folder, `${name}.pem`);
  writeFileSync(path, '', { flag: 'wx' });
  // A strict mask of the process must not hide it from the sandbox.
  chmodSync(path, READ_BY_ALL);
  const descriptor = openSync(path, O_PATH);
  return {
    descriptor,
    write: (pem) => writeFileSync(path, `${systemBundle()}\n${pem}\n`),
    [Symbol.dispose]: () => {
      closeSync(descriptor);
      rmSync(path, { force: true });
    },
  };
}

/** Contract: '' on a machine that trusts nobody. */
function systemBundle(): string {
  for (const path of BUNDLES) {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      // Another distribution's.
    }
  }
  return '';
}
