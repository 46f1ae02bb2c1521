import { constants } from 'node:crypto';
import { type SecureContext, type SecureContextOptions, createSecureContext } from 'node:tls';
import type { AuthoritiesPort, ServerCredential } from '@palyra/gateway';
import { type Log, PalyraError } from '@palyra/kernel';

/** What the device port answers with: one certificate for each authority that is accepted. */
export interface Credentials {
  /** For whoever asks for no name that we know: of the active authority. */
  readonly active: SecureContextOptions;
  /** Contract: `undefined` for a name that is none of ours. */
  contextFor(serverName: string): SecureContext | undefined;
  /**
   * Asks again. Contract: what is there stays in use until what comes is ready, also when this
   * rejects; `true` when something has changed.
   */
  refresh(): Promise<boolean>;
}

/** Contract: rejects when there is nothing to answer with. */
export async function loadCredentials(
  authorities: Pick<AuthoritiesPort, 'serverCredentials'>,
  log: Log,
): Promise<Credentials> {
  let held = build(await authorities.serverCredentials());
  return {
    get active() {
      return held.active;
    },
    contextFor: (serverName) => held.contexts.get(serverName.toLowerCase()),
    async refresh() {
      const found = await authorities.serverCredentials();
      if (marksOf(found) === held.marks) return false;
      held = build(found);
      log.info('the device port answers with other certificates', { count: found.length });
      return true;
    },
  };
}

interface Held {
  readonly active: SecureContextOptions;
  readonly contexts: ReadonlyMap<string, SecureContext>;
  readonly marks: string;
}

function build(credentials: readonly ServerCredential[]): Held {
  const [first] = credentials;
  if (first === undefined) {
    throw new PalyraError('AUTHORITY_UNUSABLE', 'no authority has a certificate for this gateway');
  }
  // Whichever certificate a client asks for, its own may come from any of the authorities.
  const authorities = credentials.map(({ authorityPem }) => authorityPem);
  const contexts = credentials.map(
    (credential) =>
      [
        credential.serverName.toLowerCase(),
        createSecureContext(optionsFor(credential, authorities)),
      ] as const,
  );
  return {
    active: optionsFor(first, authorities),
    contexts: new Map(contexts),
    marks: marksOf(credentials),
  };
}

function optionsFor(
  { certificatePem, keyPem }: ServerCredential,
  authorities: readonly string[],
): SecureContextOptions {
  return {
    cert: certificatePem,
    key: keyPem,
    ca: [...authorities],
    minVersion: 'TLSv1.3',
    maxVersion: 'TLSv1.3',
    // No resumption: a certificate is shown and proven on every connection. Without tickets of its
    // own OpenSSL would look a session up with us, and we keep none.
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
}

function marksOf(credentials: readonly ServerCredential[]): string {
  return credentials
    .map(
      ({ serverName, fingerprint }) => `${serverName}=${Buffer.from(fingerprint).toString('hex')}`,
    )
    .join(' ');
}
