import { X509Certificate, createECDH } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:tls';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type EnrolmentSecret,
  type PalyraClient,
  createClient,
  grpcOverTls,
  pairWith,
  parseAddress,
} from '@palyra/client';
import { systemClock } from '@palyra/kernel';
import {
  BeginPairingRequestSchema,
  BeginPairingResponseSchema,
  DeviceKind,
  FinishPairingResponseSchema,
  type Pairing,
  PairingSecret,
  PairingState,
} from '@palyra/protocol';
import { pairedDevice, tempHome, testAuthority, verifies } from '@palyra/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { certificateRequest } from './forged.ts';
import { finishBytes, rawProver } from './prover.ts';
import { BEGIN, FINISH, RawStranger, framed } from './raw-stranger.ts';
import { standingOf } from './standing.ts';
import { type Workspace, openWorkspace } from './workspace.ts';

let stack: AsyncDisposableStack;
let workspace: Workspace;
/** A device that was paired before: whatever strangers do, it is answered. */
let known: PalyraClient;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  // One for each test, since attempts count by the minute.
  workspace = stack.use(await openWorkspace());
  known = createClient(grpcOverTls(await pairedDevice(workspace.test, workspace.doors.device)));
});
afterEach(() => stack.disposeAsync());

const start = () => workspace.gateway.identity.pairing.start('', workspace.owner);

async function pairingOf({ pairingId }: Pairing): Promise<Pairing | undefined> {
  const pairings = await workspace.gateway.identity.pairing.list();
  return pairings.find((each) => each.pairingId === pairingId);
}

async function dial(from = '127.0.0.1'): Promise<RawStranger> {
  return stack.use(await RawStranger.dial({ address: workspace.doors.device, from }));
}

async function answer(bytes: Uint8Array | string | undefined): Promise<Uint8Array> {
  if (bytes instanceof Uint8Array) return bytes;
  throw new Error(`refused: ${bytes}`);
}

async function approve(pairing: Pairing): Promise<void> {
  const keyFingerprint = (await pairingOf(pairing))?.proven?.keyFingerprint ?? '';
  const yes = { pairingId: pairing.pairingId, keyFingerprint, answer: PairingState.APPROVED };
  await workspace.gateway.identity.pairing.answer(yes, workspace.owner);
}

const deviceCount = async () => (await workspace.gateway.identity.devices.list()).length;

describe('messages of a pairing that somebody has recorded', () => {
  it(
    'are refused once it is over, on the same connection and on another',
    verifies('pairing:once'),
    async () => {
      const { pairing, pin } = await start();
      const line = await dial();
      const prover = await rawProver(pin, line.serverFingerprint);
      const finish = prover.finish(await answer(await line.say(BEGIN, prover.begin).first()));
      const finishing = line.say(FINISH, finish);
      await answer(await finishing.first());
      await approve(pairing);
      expect(await finishing.ending).toBe('ok');
      const events = finishing.messages.map((each) =>
        fromBinary(FinishPairingResponseSchema, each),
      );
      expect(events.map(({ event }) => event.case)).toEqual(['waiting', 'issued']);

      const before = await standingOf(workspace);
      for (const each of [line, await dial(), await dial('127.0.0.2')]) {
        expect(await each.say(FINISH, finish).ending).toBe('PAIRING_ENDED');
        expect(await each.say(BEGIN, prover.begin).ending).toBe('PAIRING_ENDED');
      }
      expect(await standingOf(workspace)).toEqual(before);
    },
  );

  it(
    'are of no use while it goes on: the answer is another, and the try counts',
    verifies('pairing:once', 'pairing:pin'),
    async () => {
      const { pairing, pin } = await start();
      const [line, other] = [await dial(), await dial('127.0.0.2')];
      const prover = await rawProver(pin, line.serverFingerprint);
      const heard = await answer(await line.say(BEGIN, prover.begin).first());
      const { confirmation } = fromBinary(BeginPairingResponseSchema, heard);
      const again = await answer(await other.say(BEGIN, prover.begin).first());
      const { exchangeId } = fromBinary(BeginPairingResponseSchema, again);
      expect(await other.say(FINISH, finishBytes(exchangeId, confirmation)).ending).toBe(
        'PAIRING_REFUSED',
      );
      expect(await pairingOf(pairing)).toMatchObject({ state: PairingState.PENDING, tries: 2 });
      expect(await deviceCount()).toBe(1);
    },
  );

  it(
    'are refused from another address, and then from the first one too',
    verifies('pairing:once'),
    async () => {
      const { pairing, pin } = await start();
      const line = await dial();
      const prover = await rawProver(pin, line.serverFingerprint);
      const finish = prover.finish(await answer(await line.say(BEGIN, prover.begin).first()));
      const before = await standingOf(workspace);
      expect(await (await dial('127.0.0.2')).say(FINISH, finish).ending).toBe('PAIRING_REFUSED');
      expect(await line.say(FINISH, finish).ending).toBe('PAIRING_ENDED');
      expect(await standingOf(workspace)).toEqual(before);
      expect((await pairingOf(pairing))?.proven).toBeUndefined();
    },
  );

  it(
    'are spent by another connection at the same address, and the certificate is still for the first key',
    verifies('pairing:once'),
    async () => {
      const { pairing, pin } = await start();
      const line = await dial();
      const prover = await rawProver(pin, line.serverFingerprint);
      const finish = prover.finish(await answer(await line.say(BEGIN, prover.begin).first()));
      const finishing = (await dial()).say(FINISH, finish);
      await answer(await finishing.first());
      expect(await line.say(FINISH, finish).ending).toBe('PAIRING_ENDED');
      await approve(pairing);
      expect(await finishing.ending).toBe('ok');
      const last = await answer(finishing.messages.at(-1));
      const { event } = fromBinary(FinishPairingResponseSchema, last);
      const issued = event.case === 'issued' ? event.value.certificate : new Uint8Array(0);
      const key = new X509Certificate(issued).publicKey.export({ type: 'spki', format: 'der' });
      expect(Buffer.from(prover.certificateRequest).includes(key)).toBe(true);
      expect(await deviceCount()).toBe(2);
    },
  );
});

describe('two devices that know the PIN and finish at once', () => {
  it('leave one device', verifies('pairing:once'), async () => {
    const { pairing, pin } = await start();
    const lines = [await dial(), await dial('127.0.0.2')];
    const calls = await Promise.all(
      lines.map(async (line) => {
        const prover = await rawProver(pin, line.serverFingerprint);
        const begun = await answer(await line.say(BEGIN, prover.begin).first());
        return { line, finish: prover.finish(begun) };
      }),
    );
    const finishing = calls.map(({ line, finish }) => line.say(FINISH, finish));
    const firsts = await Promise.all(finishing.map((call) => call.first()));
    expect(firsts.filter((first) => first === 'PAIRING_ENDED')).toHaveLength(1);
    await approve(pairing);
    const endings = await Promise.all(finishing.map((call) => call.ending));
    expect(endings.toSorted()).toEqual(['PAIRING_ENDED', 'ok']);
    expect(await pairingOf(pairing)).toMatchObject({ state: PairingState.COMPLETED });
    expect(await deviceCount()).toBe(2);
  });
});

describe('a thousand wrong PINs', () => {
  /** A point without a PIN behind it: to the gateway it looks like a guess, and it costs us nothing. */
  const guess = (request: Uint8Array, number: number) =>
    framed(
      toBinary(
        BeginPairingRequestSchema,
        create(BeginPairingRequestSchema, {
          secret: PairingSecret.PIN,
          name: `guess ${number}`,
          kind: DeviceKind.CLI,
          certificateRequest: request,
          share: createECDH('prime256v1').generateKeys(),
        }),
      ),
    );

  it(
    'from twenty addresses get five answers, end the PIN, and keep no device from being heard',
    verifies('pairing:pin'),
    async () => {
      const { pairing, pin } = await start();
      const { registry } = await standingOf(workspace);
      const request = await certificateRequest();
      const endings = new Map<string, number>();
      for (let place = 0; place < 20; place += 1) {
        const line = await dial(`127.0.1.${place + 1}`);
        expect((await known.health.getHealth({})).activeRuns).toBe(0);
        for (let count = 0; count < 50; count += 1) {
          const ending = await line.say(BEGIN, guess(request, place * 50 + count)).ending;
          endings.set(ending, (endings.get(ending) ?? 0) + 1);
        }
        line[Symbol.dispose]();
      }
      expect(endings.get('ok')).toBe(5);
      expect([...endings.keys()].toSorted()).toEqual(['PAIRING_ENDED', 'RATE_LIMITED', 'ok']);
      expect([...endings.values()].reduce((sum, count) => sum + count, 0)).toBe(1_000);
      expect(await pairingOf(pairing)).toMatchObject({
        state: PairingState.PENDING,
        reason: 'too many tries',
        tries: 5,
      });
      const line = await dial();
      const late = await rawProver(pin, line.serverFingerprint);
      expect(await line.say(BEGIN, late.begin).ending).toMatch(/^(PAIRING_ENDED|RATE_LIMITED)$/);
      expect((await standingOf(workspace)).registry).toBe(registry);
    },
  );
});

describe('somebody in between', () => {
  interface Middle {
    readonly address: string;
    /** What the gateway said, in the clear. */
    readonly overheard: () => Buffer;
  }

  /** Ends the TLS of the device, with a certificate of its own, and passes every byte on. */
  async function standInBetween(): Promise<Middle> {
    const { certificatePem, keyPem } = await (
      await testAuthority(systemClock().now())
    ).serverCredential();
    const sockets: Socket[] = [];
    const heard: Buffer[] = [];
    const server = createServer(
      { cert: certificatePem, key: keyPem, ALPNProtocols: ['h2'] },
      (near) => {
        const far = connect({
          ...parseAddress(workspace.doors.device),
          rejectUnauthorized: false,
          ALPNProtocols: ['h2'],
        });
        sockets.push(near, far);
        for (const socket of [near, far]) socket.on('error', () => socket.destroy());
        far.on('data', (chunk: Buffer) => heard.push(chunk));
        near.pipe(far).pipe(near);
      },
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    stack.defer(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = addressOf(server.address());
    return { address: `127.0.0.1:${port}`, overheard: () => Buffer.concat(heard) };
  }

  const pairThrough = async (address: string, secret: EnrolmentSecret) => {
    const home = stack.use(await tempHome());
    const paired = pairWith({
      places: home.places,
      gateway: 'office',
      addresses: [address],
      secret,
      name: 'laptop',
      kind: DeviceKind.CLI,
      signal: AbortSignal.timeout(60_000),
    });
    return { paired, kept: () => readdir(home.path) };
  };

  it('is refused by the device and by the gateway', verifies('pairing:no-middle'), async () => {
    const { pairing, pin } = await start();
    const { registry } = await standingOf(workspace);
    const { address, overheard } = await standInBetween();
    const { paired, kept } = await pairThrough(address, { kind: 'pin', pin });
    await expect(paired).rejects.toMatchObject({ code: 'PAIRING_REFUSED' });
    expect(await kept()).toEqual([]);

    // It has heard the answer in the clear, and finishes in the place of the device.
    const line = await dial();
    const said = overheard();
    // After it come the tag and the length of the share, and the first byte of that.
    const at = said.indexOf(Buffer.from([0x12, 65, 4])) - 26;
    expect(said.toString('latin1', at, at + 26)).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    // The id, then the share of 65 bytes, then the confirmation; each after two bytes of its own.
    const confirmation = said.subarray(at + 26 + 2 + 65 + 2, at + 26 + 2 + 65 + 2 + 32);
    const finish = finishBytes(said.toString('latin1', at, at + 26), confirmation);
    expect(await line.say(FINISH, finish).ending).toBe('PAIRING_REFUSED');
    expect((await pairingOf(pairing))?.proven).toBeUndefined();
    expect((await standingOf(workspace)).registry).toBe(registry);
  });

  it('gets nothing out of a link either', verifies('pairing:no-middle'), async () => {
    const { pairing, token } = await start();
    const { registry } = await standingOf(workspace);
    const [active] = await workspace.gateway.identity.authorities.list();
    const authorityFingerprint = active?.fingerprint ?? '';
    const { address } = await standInBetween();
    const { pairingId } = pairing;
    const link = { kind: 'link', pairingId, token, authorityFingerprint } as const;
    const { paired, kept } = await pairThrough(address, link);
    await expect(paired).rejects.toMatchObject({ code: 'PAIRING_REFUSED' });
    expect(await kept()).toEqual([]);
    expect((await standingOf(workspace)).registry).toBe(registry);
  });

  it(
    'hears nothing from a device that knows the authority',
    verifies('pairing:no-middle'),
    async () => {
      const before = await standingOf(workspace);
      const { address, overheard } = await standInBetween();
      const [active] = await workspace.gateway.identity.authorities.list();
      const authorities = [Buffer.from(active?.certificate ?? '').toString('base64')];
      const secret = { kind: 'local', secret: 'A'.repeat(43), authorities } as const;
      const { paired } = await pairThrough(address, secret);
      await expect(paired).rejects.toMatchObject({ code: 'GATEWAY_UNTRUSTED' });
      expect(overheard().includes('palyra')).toBe(false);
      expect(await standingOf(workspace)).toEqual(before);
    },
  );
});

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere');
  return address;
}
