import { type ConnectionOptions, type TLSSocket, connect } from 'node:tls';
import { Code, ConnectError } from '@connectrpc/connect';
import { PalyraError } from '@palyra/kernel';
import { ErrorDetailSchema } from '@palyra/protocol';
import { parseAddress } from './address.ts';
import type { NameError } from './named-errors.ts';

/** A gateway is reached within a moment or not at all; the system itself would wait for minutes. */
const CONNECT_TIMEOUT_MS = 10_000;

export interface Dialling {
  readonly address: string;
  /** `palyra-console/1` carries a browser: there the certificate alone allows nothing. */
  readonly protocol: 'h2' | 'http/1.1' | 'palyra-console/1';
  /** A stranger has no certificate that could be refused. */
  readonly as: 'device' | 'stranger';
  readonly tls: ConnectionOptions;
}

export interface Dialer {
  dial(): TLSSocket;
  readonly nameError: NameError;
}

/** Opens TLS 1.3 connections to one address, and knows what became of the last one. */
export class TlsDialer implements Dialer {
  readonly #dialling: Dialling;
  #socket: TLSSocket | undefined;
  #isSecured = false;
  #error: Error | undefined;

  constructor(dialling: Dialling) {
    this.#dialling = dialling;
  }

  dial(): TLSSocket {
    const { address, protocol, tls } = this.#dialling;
    const socket = connect({
      ...tls,
      ...parseAddress(address),
      ALPNProtocols: [protocol],
      minVersion: 'TLSv1.3',
    });
    // A call is several small writes; held back for one another they would take 40 ms.
    socket.setNoDelay(true);
    this.#socket = socket;
    this.#isSecured = false;
    this.#error = undefined;
    const late = setTimeout(() => socket.destroy(timedOut()), CONNECT_TIMEOUT_MS).unref();
    socket.once('secureConnect', () => {
      this.#isSecured = true;
      clearTimeout(late);
    });
    socket.once('error', (error) => {
      this.#error = error;
    });
    socket.once('close', () => clearTimeout(late));
    return socket;
  }

  /** Why a call failed, where the connection itself is the reason; otherwise what it failed with. */
  readonly nameError: NameError = (reason, signal) => {
    if (reason instanceof PalyraError || signal?.aborted === true) return reason;
    const error = ConnectError.from(reason);
    const isAnswer = error.findDetails(ErrorDetailSchema).length > 0;
    if (isAnswer || error.code === Code.DeadlineExceeded) return reason;
    return this.#fault(error) ?? reason;
  };

  #fault(cause: ConnectError): PalyraError | undefined {
    const { address, as } = this.#dialling;
    const socket = this.#socket;
    if (socket === undefined) return undefined;
    const code = codeOf(this.#error);
    if (isForeign(code) || (!this.#isSecured && isRefusedByUs(socket))) {
      const words = `whoever answers on \`${address}\` is not the gateway that was expected`;
      return new PalyraError('GATEWAY_UNTRUSTED', words, { cause });
    }
    if (!this.#isSecured) {
      const words = `no gateway answers on \`${address}\``;
      return this.#error && new PalyraError('DAEMON_UNREACHABLE', words, { cause });
    }
    // TLS 1.3 may have no other word for a certificate that is refused: the handshake looks well to
    // the client, and then the connection ends before a byte of the answer.
    const isCutOff = socket.destroyed && socket.bytesRead === 0;
    return as === 'device' && (isCutOff || code.includes('_ALERT_'))
      ? notAccepted(cause)
      : undefined;
  }
}

/** Alerts of a server that is no gateway of ours, or has no certificate of our authority. */
const FOREIGN_ALERTS =
  /_(?:HANDSHAKE_FAILURE|PROTOCOL_VERSION|NO_APPLICATION_PROTOCOL|UNRECOGNIZED_NAME)$/;

function isForeign(code: string): boolean {
  // What is no alert is no TLS of ours: plain HTTP, for example.
  if (code === 'EPROTO' || (code.startsWith('ERR_SSL_') && !code.includes('_ALERT_'))) return true;
  return code.startsWith('ERR_SSL_') && FOREIGN_ALERTS.test(code);
}

function isRefusedByUs(socket: TLSSocket): boolean {
  const refused: unknown = socket.authorizationError;
  return refused !== null && refused !== undefined;
}

function notAccepted(cause: ConnectError): PalyraError {
  return new PalyraError(
    'NOT_PAIRED',
    'the gateway does not accept the certificate of this device',
    { cause, help: 'pair again: `palyra pair HOST`, on the gateway itself `palyra pair local`' },
  );
}

function timedOut(): Error {
  return Object.assign(new Error('the connection took too long'), { code: 'ETIMEDOUT' });
}

/** Whoever uses the socket may put the reason into an error of its own. */
function codeOf(error: Error | undefined): string {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 4; depth += 1) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
    cause = cause.cause;
  }
  return '';
}
