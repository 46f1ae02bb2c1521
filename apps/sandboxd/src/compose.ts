import { systemClock } from '@palyra/kernel';
import {
  LIFELINE,
  type Opening,
  type ParentChannel,
  type Sandboxes,
  type SecretPort,
  dieWithParent,
  letGoOfStart,
  openSandboxes,
  serveSandboxes,
} from '@palyra/sandbox';
import { createLog } from './log.ts';
import { createWayOut } from './way-out.ts';

/** Introduces the parts to one another and serves. Contract: resolves when there is nobody to serve. */
export async function compose(channel: ParentChannel): Promise<void> {
  const { beforeStart } = dieWithParent(LIFELINE);
  // Whoever started it may have ended before that was said.
  if (!channel.connected) return;
  await serveSandboxes({ channel, open: (...asked) => open(beforeStart, ...asked) });
}

/** By then everything is loaded that a command needs. */
const SETTLED_MS = 2_000;

async function open(
  beforeStart: () => Promise<void>,
  opening: Opening,
  secretPort: SecretPort,
): Promise<Sandboxes> {
  const clock = systemClock();
  const log = createLog((line) => process.stderr.write(line));
  const fillRandom = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);
  const wayOut = createWayOut({ clock, log, fillRandom, secretPort });
  setTimeout(letGoOfStart, SETTLED_MS).unref();
  return openSandboxes({ opening, wayOut, clock, log, beforeStart });
}
