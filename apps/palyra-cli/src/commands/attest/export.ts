import { type Invocation, argument, wantsJson } from '../../command.ts';
import { daemonOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { writePrivately } from '../../private-output.ts';
import { UsageError } from '../../usage-error.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const file = invocation.text.get('out');
  if (file === undefined && wantsJson(invocation)) throw envelopeIsTheAnswer();
  const callId = argument(invocation, 0);
  const { envelope } = await daemonOf(invocation.shell).runs.getAttestation({ callId });
  const text = `${new TextDecoder('utf-8', { fatal: true }).decode(envelope)}\n`;
  if (file === undefined) {
    // It is base64 and our own words; a terminal finds nothing to obey in it.
    terminal.pass('stdout', new TextEncoder().encode(text));
    return 'ok';
  }
  await writePrivately(file, text);
  if (wantsJson(invocation)) terminal.json('attestation-export', { file, callId });
  else terminal.note(`wrote the attestation to ${file}; \`palyra attest verify\` checks it`);
  return 'ok';
}

function envelopeIsTheAnswer(): UsageError {
  return new UsageError(
    '`--json` needs `--out FILE`: without it the envelope itself is the output',
    'add `--out FILE`, or leave `--json` out; the envelope is JSON already',
  );
}
