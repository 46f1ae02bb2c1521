import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { deriveVerifier, issuedProof, pairingContext, respond } from '@palyra/pake';
import {
  type BeginPairingRequest,
  ErrorCode,
  ErrorDetailSchema,
  HealthService,
  IdentityService,
  PairingSecret,
  PairingService,
} from '@palyra/protocol';
import type { Life, TestAuthority } from './authority.ts';

export interface TestGateway extends AsyncDisposable {
  readonly address: string;
  readonly calls: string[];
  /** Passwords that a pairing accepts, each once. */
  readonly passwords: Set<string>;
}

export interface TestGatewayOptions {
  readonly authority: TestAuthority;
  /** Whose devices are let in by TLS; everybody else is cut off. Absent: strangers are let in. */
  readonly devicesOf?: TestAuthority;
  /** What it puts into the answer instead of its own authority. */
  readonly claims?: TestAuthority;
  readonly life?: Life;
  readonly confirms?: () => Promise<void>;
  readonly renews?: 'never';
}

/** The part of a gateway that a client needs to prove itself against: real TLS, real SPAKE2+. */
export async function startGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const { authority, devicesOf } = options;
  const credential = await authority.server();
  const calls: string[] = [];
  const passwords = new Set<string>();
  const handler = connectNodeAdapter({
    routes: routes(options, { calls, passwords, serverDer: credential.der }),
  });
  const server = createSecureServer(
    {
      cert: credential.certificate,
      key: credential.key,
      ca: [(devicesOf ?? authority).pem],
      allowHTTP1: true,
      minVersion: 'TLSv1.3',
      requestCert: true,
      rejectUnauthorized: devicesOf !== undefined,
    },
    handler,
  );
  const sockets = new Set<{ destroy(): unknown }>();
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    calls.push('connection');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    address: `127.0.0.1:${port}`,
    calls,
    passwords,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface GatewayState {
  readonly calls: string[];
  readonly passwords: Set<string>;
  readonly serverDer: Uint8Array;
}

function routes(options: TestGatewayOptions, state: GatewayState) {
  return (router: ConnectRouter): void => {
    router.service(HealthService, { getHealth: () => ({ version: '0.1.0' }) });
    router.service(IdentityService, {
      renewCertificate: async ({ certificateRequest }) => {
        state.calls.push('renew');
        if (options.renews === 'never') throw new ConnectError('no', Code.Internal);
        const certificate = await options.authority.sign(new Uint8Array(certificateRequest));
        return { certificate, authorities: [options.authority.der] };
      },
    });
    router.service(PairingService, pairing(options, state));
  };
}

function pairing({ authority, claims, life, confirms }: TestGatewayOptions, state: GatewayState) {
  const open = new Map<string, { key: Uint8Array; request: Uint8Array<ArrayBuffer> }>();
  const expected = new Map<string, (confirmation: Uint8Array) => Uint8Array | undefined>();
  return {
    beginPairing: async (request: BeginPairingRequest) => {
      state.calls.push('begin');
      const [password] = state.passwords;
      if (password === undefined) throw ended();
      const verifier = await deriveVerifier(password);
      const serverFingerprint = createHash('sha256').update(state.serverDer).digest();
      const context = pairingContext({ ...request, serverFingerprint });
      const answer = respond({ verifier, context, share: request.share });
      if (answer === undefined) throw ended();
      const exchangeId = `exchange ${expected.size + 1}`;
      expected.set(exchangeId, (confirmation) => {
        const agreement = answer.accept(confirmation);
        if (agreement === undefined || !state.passwords.delete(password)) return undefined;
        return agreement.sharedKey;
      });
      const isLocal = request.secret === PairingSecret.LOCAL;
      open.set(exchangeId, {
        key: new Uint8Array(0),
        request: new Uint8Array(request.certificateRequest),
      });
      state.calls.push(isLocal ? 'local' : 'distant');
      return { exchangeId, share: answer.share, confirmation: answer.confirmation };
    },
    async *finishPairing(request: { exchangeId: string; confirmation: Uint8Array }) {
      state.calls.push('finish');
      const sharedKey = expected.get(request.exchangeId)?.(request.confirmation);
      const exchange = open.get(request.exchangeId);
      if (sharedKey === undefined || exchange === undefined) throw ended();
      const waiting = { pairingId: 'pairing', expiresAt: '2026-01-01T00:05:00.000Z' };
      yield { event: { case: 'waiting', value: waiting } } as const;
      await confirms?.();
      const certificate = await authority.sign(exchange.request, life);
      const real = { deviceId: '01TEST', certificate, authorities: [authority.der] };
      const sent = claims === undefined ? real : { ...real, authorities: [claims.der] };
      const value = { ...sent, proof: issuedProof(sharedKey, real) };
      yield { event: { case: 'issued', value } } as const;
    },
  };
}

function ended(): ConnectError {
  return new ConnectError('ended', Code.FailedPrecondition, undefined, [
    {
      desc: ErrorDetailSchema,
      value: { code: ErrorCode.PAIRING_ENDED, message: 'no pairing waits', help: 'start one' },
    },
  ]);
}
