import {
  CONSOLE_NONCE_BYTES,
  CONSOLE_PROOF_HEADER,
  type ConsoleCall,
  consoleProofText,
  systemClock,
  writeConsoleProof,
} from '@palyra/kernel';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** The key of a page. */
export interface ConsoleKey {
  readonly publicKey: string;
  /** The header for one call; what is not said is as it should be. */
  prove(call: Pick<ConsoleCall, 'path' | 'host'> & Partial<ConsoleCall>): Promise<string>;
}

export async function makeConsoleKey(): Promise<ConsoleKey> {
  const { subtle } = globalThis.crypto;
  const pair = await subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
  return {
    publicKey: base64url(await subtle.exportKey('raw', pair.publicKey)),
    async prove(call) {
      const whole = {
        method: 'POST',
        timeMs: systemClock().now().getTime(),
        nonce: base64url(globalThis.crypto.getRandomValues(new Uint8Array(CONSOLE_NONCE_BYTES))),
        ...call,
      };
      const text = new TextEncoder().encode(consoleProofText(whole));
      const signature = base64url(await subtle.sign(ALGORITHM, pair.privateKey, text));
      return writeConsoleProof({ ...whole, signature });
    },
  };
}

export interface ConsoleOpening {
  /** Where the console is: `http://localhost:7142`. */
  readonly origin: string;
  /** The secret of a link. */
  readonly link: string;
}

/** A browser with a session, as far as the gateway can tell. */
export interface ConsoleBrowser {
  readonly key: ConsoleKey;
  /** Name and value. */
  readonly cookie: string;
  /** All that a call of its page carries to prove itself. */
  headersFor(method: string, path: string): Promise<Record<string, string>>;
  /** Proves every call; addresses are absolute. */
  readonly fetch: typeof fetch;
}

/** Contract: rejects unless the link opens a session. */
export async function openConsoleBrowser({
  origin,
  link,
}: ConsoleOpening): Promise<ConsoleBrowser> {
  const key = await makeConsoleKey();
  const opened = await fetch(`${origin}/console/session`, {
    method: 'POST',
    headers: { origin },
    body: JSON.stringify({ link, publicKey: key.publicKey }),
  });
  const [cookie = ''] = opened.headers.getSetCookie()[0]?.split(';') ?? [];
  if (!opened.ok) throw new TypeError(`the link was answered with ${opened.status}`);
  const { host } = new URL(origin);
  const headersFor = async (method: string, path: string) => {
    return { cookie, origin, [CONSOLE_PROOF_HEADER]: await key.prove({ method, path, host }) };
  };
  return {
    key,
    cookie,
    headersFor,
    async fetch(input, init) {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      const proof = await headersFor(request.method, `${pathname}${search}`);
      for (const [name, value] of Object.entries(proof)) request.headers.set(name, value);
      return await fetch(request);
    },
  };
}

function base64url(bytes: ArrayBuffer | Uint8Array): string {
  return Buffer.from(new Uint8Array(bytes)).toString('base64url');
}
