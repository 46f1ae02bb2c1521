import { type Json, type JsonObject, isJsonObject } from '@palyra/kernel';
import { type Invocation, wantsJson } from '../../command.ts';
import { textOf } from '../../config-answer.ts';
import { askDaemonProgram, toError } from '../../daemon-program.ts';
import type { Exit } from '../../exit-codes.ts';
import { showFailure } from '../../failure.ts';
import { type Field, printFields } from '../../render/layout.ts';
import { printTier } from '../../render/verdict.ts';
import { shortTime } from '../../render/words.ts';
import { readTiers } from '../../verdict-answer.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const answer = await askDaemonProgram(invocation.shell, ['sandbox', 'status']);
  const { works, standings, provenAt, isKept, machine, ffi, fault } = answer;
  const exit = works === true ? 'ok' : 'failure';
  if (wantsJson(invocation)) {
    const fields = { works: works === true, tiers: standings, provenAt, isKept, machine, ffi };
    terminal.json('sandbox_status', { ...fields, fault });
    return exit;
  }
  for (const tier of readTiers(standings)) printTier(terminal, tier);
  terminal.print('');
  printFields(terminal, [...machineFields(machine), ...proofFields(answer)]);
  if (isJsonObject(fault)) showFailure(toError(fault), terminal, 'text');
  return exit;
}

const CGROUPS: Readonly<Record<string, string>> = {
  v1: 'version 1, limits memory and processes',
  v2: 'version 2, limits memory and processes',
  none: 'none is delegated: memory is measured, not enforced (`Delegate=yes`)',
};

function machineFields(machine: Json | undefined): readonly Field[] {
  if (!isJsonObject(machine)) return [];
  return [
    ['bubblewrap', textOf(machine, 'bwrap')],
    ['cgroup', CGROUPS[textOf(machine, 'cgroup')] ?? 'unknown'],
    ['account', accountWords(machine['account'])],
    ['kernel', textOf(machine, 'kernel').split(' ').slice(0, 3).join(' ')],
  ];
}

function accountWords(account: Json | undefined): string {
  const uid = isJsonObject(account) ? account['uid'] : undefined;
  if (uid === 0) return 'root; commands run as another user without rights';
  return typeof uid === 'number' ? `user ${uid}` : 'unknown';
}

function proofFields({ provenAt, isKept, ffi }: JsonObject): readonly Field[] {
  const library = ffi === true ? 'this Node has it' : 'this Node does not have it';
  const when = typeof provenAt === 'string' ? shortTime(provenAt) : 'never';
  return [
    ['node:ffi', library],
    ['proven', isKept === false ? `${when}, just now` : when],
  ];
}
