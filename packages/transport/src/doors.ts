import { once } from 'node:events';
import type { Server } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { PalyraError } from '@palyra/kernel';
import type { GetHealthResponse } from '@palyra/protocol';
import { type Address, parseAddress, writeAddress } from './address.ts';
import type { CallerSources } from './auth/caller-of.ts';
import { SessionProofs } from './auth/session-proofs.ts';
import { type Watch, createWatch } from './auth/watch.ts';
import { createBeat } from './beat.ts';
import { healthReader } from './connect/health-service.ts';
import { createPatience } from './connect/patience.ts';
import { createCallHandler } from './connect/request-handler.ts';
import type { TransportParts } from './connect/routes.ts';
import { strangersPaths } from './connect/services.ts';
import { type ConsolePort, openConsolePort, receiveBrowsers } from './console-port/console-port.ts';
import { type Credentials, loadCredentials } from './device-port/credentials.ts';
import { createDevicePort, receiveDevices } from './device-port/device-port.ts';
import { createDesk } from './http/desk.ts';
import { createDropReport } from './http/drop-report.ts';
import { type Lines, createLines } from './http/lines.ts';
import { listenOn } from './http/listen.ts';
import { createSessions } from './http/sessions.ts';
import { type Whereabouts, whereaboutsOf } from './whereabouts.ts';

/** The ways in. */
export interface Doors extends AsyncDisposable {
  /** Where devices connect: `127.0.0.1:7443`, with the port that is really bound. */
  readonly device: string;
  /** Where browsers of this machine find the console: `http://localhost:7142`; absent when it is off. */
  readonly console: string | undefined;
  /** What a caller is told as well, for the program that holds us. */
  health(): GetHealthResponse;
}

/** How long open calls may take to hear that the daemon stops, before their connections are cut. */
const FAREWELL_MS = 1_000;
/** How often it is looked whether anybody's standing has changed. */
const BEAT_MS = 500;

/**
 * Opens the device port and the console port. Contract: the gateway's identity is ready. Disposing
 * ends open calls with SHUTTING_DOWN and resolves when no connection is left.
 */
export async function openDoors(parts: TransportParts): Promise<Doors> {
  const { settings, log, gateway, clock } = parts;
  await using opening = new AsyncDisposableStack();
  const shutdown = new AbortController();
  const drops = opening.use(createDropReport(log));
  const credentials = await loadCredentials(gateway.identity.authorities, log);
  const { access } = gateway.identity;
  const callers = { access, clock, proofs: new SessionProofs(clock) };
  const watch = createWatch({ access, rules: gateway.policy, clock }, log);

  const devicePort = { settings, credentials, log, drops, access };
  const port = createDevicePort(devicePort);
  opening.defer(() => closeServer(port));
  const device = await listenOn(port, addressIn(settings.listen), 'transport.listen');
  const browsers = await openConsole(settings.console);
  for (const server of browsers?.servers ?? []) opening.defer(() => closeServer(server));

  const origin = browsers === undefined ? undefined : `http://${browsers.host}`;
  const whereabouts = whereaboutsOf(device, parts.names, origin ?? '');
  const lines = createBackOffice(parts, {
    watch,
    callers,
    whereabouts,
    opening,
    shutdown: shutdown.signal,
  });
  receiveDevices(port, lines, devicePort);
  if (browsers !== undefined) receiveBrowsers(browsers, lines);
  const beat = startBeat(parts, { watch, credentials, port });
  const release = opening.move();
  return {
    device: writeAddress(device),
    console: origin,
    health: () => healthReader(parts, whereabouts)(),
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      const closed = release.disposeAsync();
      shutdown.abort(new PalyraError('SHUTTING_DOWN', 'the daemon is stopping'));
      lines.closeIdle();
      const cut = setTimeout(() => lines.destroyAll(), FAREWELL_MS);
      await closed;
      clearTimeout(cut);
      lines[Symbol.dispose]();
    },
  };
}

interface Office {
  readonly watch: Watch;
  readonly callers: CallerSources;
  readonly whereabouts: Whereabouts;
  readonly shutdown: AbortSignal;
  readonly opening: AsyncDisposableStack;
}

/** What stands behind both doors alike. */
function createBackOffice(parts: TransportParts, office: Office): Lines {
  const { settings } = parts;
  const sessions = createSessions();
  const patience = office.opening.use(
    createPatience({
      requestMs: settings.request_ms,
      unreadMs: settings.idle_ms,
      cut: (stream) => sessions.cut(stream),
    }),
  );
  // Looked up for the first stranger: a start need not wait for every call there is.
  let strangersMayCall: ReadonlySet<string> | undefined;
  const desk = createDesk({
    ...parts,
    callers: office.callers,
    linkOf: (request) => lines.linkOf(request),
    calls: createCallHandler({ ...parts, ...office }),
    isOpenToStrangers: (path) => (strangersMayCall ??= strangersPaths()).has(path),
    patience,
  });
  const lines = createLines({ ...parts, ...office, sessions, answer: desk });
  return lines;
}

async function openConsole(setting: string): Promise<ConsolePort | undefined> {
  if (setting === 'off') return undefined;
  return await openConsolePort(addressIn(setting));
}

/** Contract: the section has checked it. */
function addressIn(text: string): Address {
  const address = parseAddress(text);
  if (address !== undefined) return address;
  throw new PalyraError('CONFIG_INVALID', `\`${text}\` is not \`HOST:PORT\``);
}

interface Beaten {
  readonly watch: Watch;
  readonly credentials: Credentials;
  readonly port: TlsServer;
}

function startBeat({ gateway, log }: TransportParts, { watch, credentials, port }: Beaten) {
  const beat = createBeat({
    watch,
    credentials,
    log,
    // Both only grow, so that a change of either changes their sum.
    revision: () => gateway.identity.revision() + gateway.policy.desk.revision(),
    swap: () => port.setSecureContext(credentials.active),
  });
  let isBusy = false;
  const beatAlone = async () => {
    if (isBusy) return;
    isBusy = true;
    await beat();
    isBusy = false;
  };
  return setInterval(() => void beatAlone(), BEAT_MS).unref();
}

/** Contract: connections that are open are somebody else's to end. */
async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}
