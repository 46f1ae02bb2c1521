/** Why nothing, or nothing more, passed. The words go to the journal; the texts to whoever asked. */
export const REFUSALS = {
  'host-malformed': 'the host is not one that can be asked for',
  'host-not-listed': 'the host is not listed',
  'address-not-listed': 'addresses are reached only when they are listed',
  'port-not-listed': 'the host is listed, but not with this port',
  'host-unresolved': 'the host has no address',
  'address-forbidden':
    'the host leads to an address that is not public, and that address is not listed itself',
  'rules-refuse': 'the rules do not let this call connect there',
  'upstream-unreachable': 'the host could not be reached',
  'upstream-untrusted': 'the host did not prove who it is',
  'upstream-malformed': 'the host answered with something else than HTTP',
  'protocol-unknown': 'only CONNECT, HTTP and SOCKS5 with names are spoken here',
  'head-malformed': 'the request is malformed',
  'head-too-long': 'the head of the request is too long',
  'body-malformed': 'the body of the request is malformed',
  'hello-malformed': 'what follows is not the start of TLS',
  'hello-too-long': 'the start of TLS is too long',
  'hello-without-name': 'the start of TLS names no host',
  'hello-encrypted': 'the start of TLS hides the name of its host',
  'hello-other-name': 'the start of TLS names another host',
  'handshake-failed': 'the TLS handshake failed',
  'host-header-differs': 'the request is for another host than its connection',
  'request-not-listed': 'no rule allows this method and path',
  'secret-misplaced': 'a placeholder of a secret stands where it may not be used',
  'secret-unusable': 'the secret could not be put in',
  'secret-echoed': 'the answer repeats a secret',
  'too-slow': 'the start of the connection took too long',
  idle: 'nothing was sent for too long',
  left: 'the sandbox hung up first',
  fault: 'something failed in the proxy',
  'too-many-connections': 'too many connections',
  'too-many-bytes': 'too many bytes',
} as const;

export type Refusal = keyof typeof REFUSALS;

/** An expected ending, thrown because a reader deep down ends the whole passage with it. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(REFUSALS[reason]);
    this.reason = reason;
  }
}
