import type { IdentityPort, JournalPort, ModelDesk, PolicyDesk } from '@palyra/gateway';
import type { Clock } from '@palyra/kernel';
import { AuthorityState } from '@palyra/protocol';
import { type LoopDelayMeter, type Readiness, type SiteFiles, faultOf } from '@palyra/transport';
import type { Settings } from '../sections.ts';
import type { Check, Outlook } from './check.ts';
import { uncovered } from './names.ts';

/** What only a daemon that runs can be asked. */
export interface DaemonOrgans {
  readonly clock: Clock;
  readonly readiness: Pick<Readiness, 'fault'>;
  readonly journal: Pick<JournalPort, 'tip' | 'find'>;
  readonly loopDelay: Pick<LoopDelayMeter, 'read'>;
  readonly policyDesk: Pick<PolicyDesk, 'show' | 'health'>;
  readonly modelDesk: Pick<ModelDesk, 'list'>;
  readonly identity: Pick<IdentityPort, 'authorities'>;
  readonly site: Pick<SiteFiles, 'find'>;
  /** As it was at the start, and as it would be now. */
  readonly settings: Settings;
  readonly readSettings: () => Settings;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Less than this is what every clock that is set right does. */
const CLOCK_SLACK_MS = 5_000;
const SLOW_LOOP_MS = 250;
const NEAR_END_MS = 90 * DAY_MS;

export function daemonChecks(organs: DaemonOrgans): readonly Check[] {
  return [
    {
      check: 'configuration',
      about: 'whether the next start would take it, and be the same as this one',
      look: () => configuration(organs),
    },
    { check: 'store', about: 'whether decisions can be recorded', look: () => store(organs) },
    {
      check: 'clock',
      about: 'whether time went back behind what is recorded',
      look: () => clock(organs),
    },
    {
      check: 'event loop',
      about: 'how long others wait while the daemon is busy',
      look: () => loop(organs),
    },
    { check: 'rules', about: 'whether a set of rules is in force', look: () => rules(organs) },
    { check: 'model', about: 'whether the model can be asked', look: () => model(organs) },
    {
      check: 'certificates',
      about: 'how long the authority of this gateway lasts',
      look: () => certificates(organs),
    },
    {
      check: 'gateway names',
      about: 'whether devices can check what this gateway is called',
      look: () => gatewayNames(organs),
    },
    { check: 'console', about: 'whether its build is there', look: () => consoleBuild(organs) },
  ];
}

function configuration({ settings, readSettings }: DaemonOrgans): Outlook {
  const now = readSettings().show();
  const then = new Map(settings.show().map(({ key, value }) => [key, JSON.stringify(value)]));
  const changed = now.filter(({ key, value }) => then.get(key) !== JSON.stringify(value));
  if (changed.length === 0) return { result: 'ok', detail: 'valid' };
  const keys = changed.map(({ key }) => `\`${key}\``).join(', ');
  const detail = `valid, but not in force yet: ${keys}`;
  return { result: 'warning', detail, fix: 'start the daemon again' };
}

function store({ readiness, journal }: DaemonOrgans): Outlook {
  const fault = faultOf(readiness);
  if (fault !== undefined) throw fault;
  return { result: 'ok', detail: `${journal.tip().sequence} entries` };
}

async function clock({ journal, clock: now }: DaemonOrgans): Promise<Outlook> {
  const last = await journal.find(journal.tip().sequence);
  const time = now.now();
  const ahead = last === undefined ? 0 : new Date(last.time).getTime() - time.getTime();
  const detail = time.toISOString();
  if (ahead <= CLOCK_SLACK_MS) return { result: 'ok', detail };
  return {
    result: 'failed',
    detail: `${detail} is ${Math.round(ahead / 1000)} s before the last entry of the journal`,
    fix: 'set the clock of this machine right',
  };
}

function loop({ loopDelay }: DaemonOrgans): Outlook {
  const { p99Ms } = loopDelay.read();
  const detail = `99 of 100 waits are shorter than ${Math.ceil(p99Ms)} ms`;
  if (p99Ms < SLOW_LOOP_MS) return { result: 'ok', detail };
  return { result: 'warning', detail, fix: 'give the machine less to do, or more processors' };
}

async function rules({ policyDesk }: DaemonOrgans): Promise<Outlook> {
  // Whoever asks first has them loaded.
  await policyDesk.show('');
  const { mode, rules: count, policySetHash, problems } = policyDesk.health();
  if (mode === 'closed') {
    const fix = 'mend what `palyra policy list` names, then `palyra policy reload`';
    return { result: 'failed', detail: 'none could be taken, so nothing is allowed', fix };
  }
  const [problem] = problems;
  const detail = `${count} in mode ${mode}, ${policySetHash.slice(0, 8)}`;
  if (problem === undefined) return { result: 'ok', detail };
  const refused = `${detail}; not taken: ${problem}`;
  return { result: 'warning', detail: refused, fix: 'mend it, then `palyra policy reload`' };
}

function model({ modelDesk }: DaemonOrgans): Outlook {
  const chosen = modelDesk.list().find(({ isDefault }) => isDefault);
  if (chosen === undefined) {
    return { result: 'failed', detail: 'none is configured', fix: SET_MODEL };
  }
  const { name, isScript, keySource, hasKey, breaker } = chosen;
  if (isScript) return { result: 'ok', detail: name };
  if (keySource !== '' && !hasKey) {
    return { result: 'warning', detail: `${name} has no key in ${keySource}`, fix: SET_MODEL };
  }
  if (breaker !== 'open') return { result: 'ok', detail: name };
  const detail = `${name} has failed too often and is left alone for a while`;
  return { result: 'warning', detail, fix: 'see why with `palyra models test`' };
}

const SET_MODEL = 'choose one with `palyra models set`';

async function certificates({ identity, clock: now }: DaemonOrgans): Promise<Outlook> {
  const authorities = await identity.authorities.list();
  const active = authorities.find(({ state }) => state === AuthorityState.ACTIVE);
  if (active === undefined) {
    return { result: 'failed', detail: 'there is no authority', fix: ROTATE };
  }
  const left = new Date(active.notAfter).getTime() - now.now().getTime();
  const detail = `the authority ends on ${active.notAfter.slice(0, 10)}`;
  if (left < NEAR_END_MS) {
    return { result: left <= 0 ? 'failed' : 'warning', detail, fix: ROTATE };
  }
  const late = (await identity.authorities.notMoved()).length;
  if (late === 0) return { result: 'ok', detail };
  const waiting = `${detail}; ${late} devices still trust only the one that it replaces`;
  return { result: 'warning', detail: waiting, fix: 'use them once, or pair them again' };
}

const ROTATE = 'replace it with `palyra identity rotate-ca`';

async function gatewayNames({ identity, settings }: DaemonOrgans): Promise<Outlook> {
  const { names } = settings.config.identity;
  if (names.length === 0) return { result: 'ok', detail: '`identity.names` is empty' };
  const authorities = await identity.authorities.list();
  const active = authorities.find(({ state }) => state === AuthorityState.ACTIVE);
  const missing = uncovered(names, active?.names ?? []);
  if (missing.length === 0) return { result: 'ok', detail: names.join(', ') };
  const detail = `the authority was made before ${missing.join(', ')} was configured`;
  return { result: 'warning', detail, fix: ROTATE };
}

async function consoleBuild({ site, settings }: DaemonOrgans): Promise<Outlook> {
  const { console: address } = settings.config.transport;
  if (address === '') return { result: 'ok', detail: '`transport.console` is empty' };
  const page = await site.find('/index.html');
  if (page !== undefined) return { result: 'ok', detail: address };
  const detail = 'its build is missing; a page that says so stands in its place';
  return { result: 'warning', detail, fix: 'start it through `./palyra`, which builds it' };
}
