import { hostFacts } from '../request/hosts.ts';
import { pathFacts } from '../request/paths.ts';
import { processFacts } from '../request/process.ts';
import { reference, references, sortedSet } from '../request/words.ts';
import type { PolicyContext } from '../model.ts';

/** Under which circumstances a question is put; what a rule can read of them besides who and what. */
export interface Situation {
  readonly channel: string;
  readonly device: string;
  readonly agent: string;
  readonly session: string;
  readonly run: string;
  /** Absent where no rule speaks of it: sets of before the fact are compared, too. */
  readonly workspace?: string;
  readonly skill: string;
  readonly tier: string;
  readonly taint: readonly string[];
  readonly budget: string;
  readonly time: Moment;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly hosts: readonly ProbedHost[];
  readonly secrets: readonly string[];
  readonly argumentBytes: number;
  readonly bodyBytes: number;
  readonly argumentsSha256: string;
  readonly process?: Command;
  readonly http?: Exchange;
}

export interface Moment {
  readonly date: string;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

export interface ProbedHost {
  readonly name: string;
  readonly port: number;
  readonly range: string;
}

export interface Command {
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly directory: string;
  /** Names of the variables that it sets. */
  readonly environment?: readonly string[];
}

export interface Exchange {
  readonly method: string;
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** A person at the command line on a Wednesday, and a call that touches nothing. */
export const PLAIN: Situation = {
  channel: 'cli',
  device: '',
  agent: 'palyra',
  session: 'a-session',
  run: 'a-run',
  skill: '',
  tier: 'none',
  taint: [],
  budget: 'unlimited',
  time: { date: '2026-07-15', weekday: 3, hour: 12, minute: 0 },
  reads: [],
  writes: [],
  hosts: [],
  secrets: [],
  argumentBytes: 0,
  bodyBytes: 0,
  argumentsSha256: '',
};

export const PLAIN_COMMAND: Command = { executable: 'unnamed', arguments: [], directory: '.' };
export const PLAIN_EXCHANGE: Exchange = {
  method: 'GET',
  scheme: 'https',
  host: 'unnamed.example',
  port: 443,
  path: '/',
};

/** The context of the schema's `Act`, without the capabilities, which are the tool's. */
export function actContext(situation: Situation): PolicyContext {
  const { channel, tier, taint, budget, reads, writes, hosts, process, http, time } = situation;
  const { device, agent, session, run, skill, secrets } = situation;
  const { argumentBytes, bodyBytes, argumentsSha256, workspace } = situation;
  return {
    device,
    agent,
    session,
    run,
    skill,
    argumentBytes,
    bodyBytes,
    argumentsSha256,
    channel: reference('Channel', channel),
    tier: reference('Tier', tier),
    taint: references('Taint', taint),
    budget: reference('Budget', budget),
    time: { ...time },
    unattended: false,
    ...(workspace === undefined ? {} : { workspace }),
    // Of no gateway: what no rule may lift need not be asked about.
    reads: { ...pathFacts(reads), ofGateway: false },
    writes: { ...pathFacts(writes), ofGateway: false },
    hosts: hostFacts(hosts),
    secrets: sortedSet(secrets),
    ...(process === undefined ? {} : { process: commandFacts(process) }),
    ...(http === undefined ? {} : { http: { ...http } }),
  };
}

function commandFacts({ arguments: words, environment = [], ...command }: Command) {
  return processFacts({ ...command, arguments: [...words], environment: [...environment] });
}

/** The context of the schema's `Ask`, without the permission. */
export function askContext(situation: Situation): PolicyContext {
  const { channel, device, time } = situation;
  return { channel: reference('Channel', channel), device, time: { ...time } };
}
