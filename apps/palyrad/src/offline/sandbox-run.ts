import type { Bytes } from '@palyra/kernel';
import type { Flags } from '../command-line.ts';
import { EXIT } from '../exit-codes.ts';
import { refuseOwnGround } from '../own-ground.ts';
import { ownPlaces } from '../own-places.ts';
import { InputStream, type SandboxRequest, limitsOf, openSandboxes } from '../sandbox-process.ts';
import { type Config, type Surroundings, loadSettings } from '../sections.ts';
import { answerJson } from './answer.ts';
import { egressOf } from '../sandbox-port/egress-request.ts';
import type { Answer } from './commands.ts';
import { type Order, readOrder } from './sandbox-order.ts';

/**
 * One command in a sandbox, as `palyra sandbox run` wants it: the order is the first line of standard
 * input, and whoever gave it is gone when the input ends. Output is told as it comes; the command's own
 * input is asked for, piece by piece, and answered with a line each.
 */
export async function runSandbox(surroundings: Surroundings, flags: Flags): Promise<Answer> {
  using input = new InputStream(() => tell('sandbox.input-wanted', {}));
  const onInput = (bytes: Bytes | undefined) => input.take(bytes);
  const { order, gone } = await readOrder({ lines: process.stdin, onInput });
  // A reader who has seen enough ends the command as one who is gone does: in order, with all that it left.
  const unheard = new AbortController();
  process.stdout.on('error', () => unheard.abort());
  const place = { ...surroundings, workspaceDir: order.workspace };
  const { sandbox: settings } = loadSettings(place, flags).config;
  refuseOwnGround(ownPlaces(place));
  await using sandboxes = openSandboxes(surroundings, { settings, uses: 'once' });
  const {
    stdout: _out,
    stderr: _err,
    ...ending
  } = await sandboxes.run(toRequest(order, settings), {
    signal: AbortSignal.any([gone, unheard.signal]),
    ...(order.hasInput && { input }),
    // Not awaited: the sandbox's own limit for output bounds what can pile up.
    onOutput: (stream, bytes) => {
      tell('sandbox.output', { stream, base64: Buffer.from(bytes).toString('base64') });
    },
    onConnection: (record) => tell('sandbox.connection', { record }),
    // It is the person's own command, and they have named whom it may reach.
    mayConnect: async () => true,
  });
  return { exit: EXIT.ok, kind: 'sandbox.run', fields: { ending } };
}

function tell(kind: string, fields: object): void {
  process.stdout.write(answerJson(kind, fields));
}

type Settings = Config['sandbox'];

function toRequest(order: Order, settings: Settings): SandboxRequest {
  const limits = limitsOf(settings);
  const { wallTimeMs = limits.wallTimeMs, hasInput: _input, egress, hosts, ...command } = order;
  return {
    ...command,
    directory: '.',
    stdin: new Uint8Array(),
    limits: { ...limits, wallTimeMs },
    egress: egressOf(egress ?? (hosts.length > 0 ? 'strict' : settings.egress), hosts),
    principal: 'cli',
    session: 'cli',
    policySetHash: '',
  };
}
