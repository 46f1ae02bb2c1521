import {
  type GatewayLink,
  LOCAL,
  type PalyraClient,
  linkGateway,
  openGateway,
} from '@palyra/client';
import type { Shell } from './command.ts';
import { deviceName } from './device-name.ts';
import { homeOf } from './home.ts';
import { inline, shortTime } from './render/words.ts';

/** The gateway that is asked. Opens nothing yet; a call to one that is not there fails. */
export function daemonOf(shell: Shell): PalyraClient {
  return linkOf(shell).client;
}

/** The gateway on this machine, whichever the command line names. */
export function localDaemonOf(shell: Shell): PalyraClient {
  return linkOf({ ...shell, gateway: LOCAL }).client;
}

/** Contract: what it has begun is over before the program ends. */
export function linkOf(shell: Shell): GatewayLink {
  const { gateway, terminal } = shell;
  const places = homeOf(shell);
  const link = linkGateway(async (signal) => {
    const opened = await openGateway({
      places,
      gateway,
      deviceName: deviceName(),
      signal,
      onSetAside: (path) => {
        terminal.note(
          `what was known about this gateway was damaged; it now lies in ${inline(path)}`,
        );
      },
    });
    void opened.renewal?.then((renewal) => {
      if (renewal.at === 'renewed') return;
      const until = shortTime(renewal.identity.notAfter);
      terminal.note(`the certificate of this device was not renewed and ends ${until} UTC`);
      terminal.note(`  because: ${inline(renewal.reason.message)}`);
    });
    return opened;
  });
  return shell.ending.use(link);
}

/** For those who only look whether it is well: they have something to tell without an answer too. */
export const PROBE = { timeoutMs: 3000 } as const;
