import {
  FreshIdentity,
  type GatewayLink,
  LOCAL,
  type OpenGateway,
  TlsDialer,
  diallingFor,
  toTlsGateway,
} from '@palyra/client';
import { PalyraError } from '@palyra/kernel';
import type { CreateConsoleLinkResponse } from '@palyra/protocol';
import { type Invocation, count, wantsJson } from '../command.ts';
import { consoleLink } from '../console/console-link.ts';
import { openBrowser } from '../console/open-browser.ts';
import { openTunnel } from '../console/tunnel.ts';
import { linkOf } from '../daemon.ts';
import { deviceName } from '../device-name.ts';
import type { Exit } from '../exit-codes.ts';
import { homeOf } from '../home.ts';
import { onInterrupt } from '../interrupts.ts';
import { inline, shortTime } from '../render/words.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const link = linkOf(invocation.shell);
  const gateway = await link.open();
  return gateway.identity.gateway === LOCAL
    ? await openHere(invocation, link)
    : await carryThere(invocation, gateway);
}

async function openHere(invocation: Invocation, { client }: GatewayLink): Promise<Exit> {
  if (count(invocation, 'port') !== 0) {
    throw new UsageError(
      '`--port` goes with a distant gateway',
      'leave it out on the gateway itself',
    );
  }
  const { console: desk } = client;
  const answer = await desk.createConsoleLink({});
  if (answer.origin === '') {
    throw new PalyraError('NOT_FOUND', 'the console of this gateway is switched off', {
      help: 'set `transport.console` in palyra.toml and start the gateway again',
    });
  }
  await show(invocation, answer, answer.origin);
  return 'ok';
}

/** Until Ctrl-C: the browser reaches the gateway only through this program. */
async function carryThere(invocation: Invocation, gateway: OpenGateway): Promise<Exit> {
  const { terminal } = invocation.shell;
  const places = homeOf(invocation.shell);
  const fresh = new FreshIdentity(gateway.identity, { places, deviceName: deviceName() });
  const dial = () =>
    new TlsDialer(diallingFor(toTlsGateway(fresh.latest), 'palyra-console/1')).dial();
  const told = Promise.withResolvers<void>();
  using cleanup = new DisposableStack();
  cleanup.use(onInterrupt(() => told.resolve()));
  cleanup.use(everyMinute(() => fresh.refresh(), terminal));
  await using tunnel = await openTunnel(dial, count(invocation, 'port'));
  const { console: desk } = gateway.client;
  await show(invocation, await desk.createConsoleLink({}), tunnel.origin);
  terminal.note('the browser goes through this program; Ctrl-C ends it');
  await told.promise;
  return 'ok';
}

/** Contract: what fails is told, and tried again a minute later. */
function everyMinute(act: () => Promise<void>, terminal: Terminal): Disposable {
  const timer = setInterval(() => {
    act().catch((reason: unknown) => {
      terminal.note(`the certificate was not renewed: ${inline(PalyraError.from(reason).message)}`);
    });
  }, 60_000);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

async function show(
  invocation: Invocation,
  answer: CreateConsoleLinkResponse,
  origin: string,
): Promise<void> {
  const { terminal, environment } = invocation.shell;
  const link = consoleLink(answer, origin);
  if (wantsJson(invocation)) {
    terminal.json('console', { link, expiresAt: answer.expiresAt });
    return;
  }
  terminal.print(link);
  terminal.note(`opens the console once, until ${shortTime(answer.expiresAt)} UTC`);
  if (invocation.flags.has('no-open') || !terminal.isInteractive) return;
  const isOpen = await openBrowser(link, homeOf(invocation.shell), environment);
  if (!isOpen) terminal.note('no browser was found here: open the link in one on this machine');
}
