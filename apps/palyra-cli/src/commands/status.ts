import { byteWords } from '@palyra/client';
import { type GetHealthResponse, GetHealthResponseSchema, Readiness } from '@palyra/protocol';
import { type Invocation, wantsJson } from '../command.ts';
import { daemonOf } from '../daemon.ts';
import type { Exit } from '../exit-codes.ts';
import { faultFields, gatewayFields, printPolicyProblems } from '../render/health.ts';
import { type Field, printFields } from '../render/layout.ts';
import { inline, readinessWord, shortTime } from '../render/words.ts';
import { wireJson } from '../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const health = await daemonOf(invocation.shell).health.getHealth({});
  if (wantsJson(invocation)) {
    terminal.json('status', { health: wireJson(GetHealthResponseSchema, health) });
    return exitOfReadiness(health.readiness);
  }
  const tone = health.readiness === Readiness.READY ? 'good' : 'warning';
  const state = terminal.paint(tone, readinessWord(health.readiness));
  terminal.print(`${terminal.paint('strong', `palyra ${inline(health.version)}`)} is ${state}\n`);
  printFields(terminal, [...faultFields(health), ...gatewayFields(health), ...lifeFields(health)]);
  printPolicyProblems(terminal, health);
  return exitOfReadiness(health.readiness);
}

/** A script that asks whether the gateway is up wants to hear that it takes no work. */
export function exitOfReadiness(readiness: Readiness): Exit {
  if (readiness === Readiness.READY) return 'ok';
  return readiness === Readiness.FAILED ? 'failure' : 'busy';
}

function lifeFields(health: GetHealthResponse): readonly Field[] {
  return [
    ['up since', `${shortTime(health.startedAt)} UTC`],
    ['active runs', String(health.activeRuns)],
    ['journal', `entry ${health.journalSequence}`],
    ['memory', byteWords(Number(health.residentBytes))],
    ['loop delay', `${health.eventLoopDelayP99Ms.toFixed(1)} ms (p99)`],
    ['missing', health.missing.map(({ name }) => inline(name)).join(', ') || 'nothing'],
  ];
}
