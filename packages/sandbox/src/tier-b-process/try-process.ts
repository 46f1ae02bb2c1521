import { join } from 'node:path';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { Ending, SandboxRequest } from '../model.ts';
import { type Maker, type TrialPlace, requestFor } from '../proof/maker.ts';
import { type Site, openSite, sleepers, writeForAll } from '../proof/site.ts';
import { INSIDE_ID } from '../tier-c-bubblewrap/plan.ts';
import { refusedStep, stepVerdict } from '../proof/step-verdict.ts';
import type { ProbeFinding, StepVerdict } from '../proof/verdict.ts';

/** One command, and what must come of it. */
interface Trial {
  readonly id: string;
  readonly says: string;
  readonly words: readonly [string, ...string[]];
  /** A code of the catalogue, or what the command prints. */
  readonly expected: { readonly code: string } | { readonly prints: string };
  readonly wallTimeMs?: number;
}

const NOTE = 'a note';
const NOBODY = { uid: INSIDE_ID, gid: INSIDE_ID };
const HASTE_MS = 200;

const DENIED = { code: 'INVALID_INPUT' };
const BEYOND = { code: 'SANDBOX_SCOPE_DENIED' };
const TOO_MUCH = { code: 'SANDBOX_QUOTA_EXCEEDED' };
const TOO_LATE = { code: 'SANDBOX_TIMED_OUT' };

type Row = readonly [string, string, Trial['expected'], ...Trial['words']];

/** What tier B promises is checked here, and no more: files and network are not among it. */
function trials({ outside, nap }: Site): readonly Trial[] {
  const rows: readonly Row[] = [
    ['process.works', 'read a file of the workspace', { prints: NOTE }, 'cat', 'note'],
    ['process.shell', 'run a shell', DENIED, 'sh', '-c', 'id'],
    ['process.shell-path', 'run a shell by its path', DENIED, '/bin/sh'],
    ['process.runner', 'run a program that runs others', DENIED, 'env', 'id'],
    ['process.unlisted', 'run a program that is not listed', DENIED, 'tee', 'x'],
    ['process.outside', 'name a file outside', BEYOND, 'cat', outside],
    ['process.parent', 'name it by `..`', BEYOND, 'cat', '../outside.txt'],
    ['process.option', 'name it in an option', BEYOND, 'grep', `--file=${outside}`, 'note'],
    ['process.secret', 'name `.env`', BEYOND, 'cat', '.env'],
    ['process.output', 'write without end', TOO_MUCH, 'yes'],
    ['process.late', 'run for ever', TOO_LATE, 'sleep', nap],
  ];
  return rows.map(([id, says, expected, ...words]) => ({
    id,
    says,
    expected,
    words,
    ...(expected === TOO_LATE && { wallTimeMs: HASTE_MS }),
  }));
}

/** Contract: the first says whether anything runs at all. */
export async function tryProcess(
  maker: Maker,
  { folder, signal }: TrialPlace,
): Promise<StepVerdict> {
  // As root a command runs as the owner of its workspace, who must not be root.
  using site = openSite(folder, process.geteuid?.() === 0 ? NOBODY : undefined);
  writeForAll(join(site.workspace, 'note'), NOTE);
  const endings: { readonly ending: Ending; readonly findings: readonly ProbeFinding[] }[] = [];
  for (const trial of trials(site)) {
    const ending = await maker.run(requestOf(site, trial), signal);
    if (ending.fault?.code === 'SANDBOX_UNAVAILABLE') {
      return refusedStep({ ...maker, refusal: ending.fault.reason });
    }
    endings.push({ ending, findings: [findingOf(trial, ending)] });
  }
  await maker.settle();
  const [first] = endings;
  if (first === undefined) throw new TypeError('tier B has no trials');
  return stepVerdict(maker, [...endings, { ...first, findings: [goneFinding(site)] }]);
}

function requestOf(site: Site, { words, wallTimeMs }: Trial): SandboxRequest {
  const [executable, ...rest] = words;
  const request = requestFor(site, { script: '' });
  const limits = { ...DEFAULT_LIMITS, ...(wallTimeMs !== undefined && { wallTimeMs }) };
  return { ...request, tier: 'B', executable, arguments: rest, limits, egress: { mode: 'none' } };
}

function findingOf({ id, says, expected }: Trial, { fault, stdout, kind }: Ending): ProbeFinding {
  const isRefusal = 'code' in expected;
  const printed = fault === undefined ? Buffer.from(stdout.subarray(0, 100)).toString('utf8') : '';
  const observed = fault?.code ?? `${kind}: ${printed}`;
  return {
    id,
    says,
    expected: isRefusal ? 'refused' : 'works',
    observed: isRefusal || fault !== undefined ? observed : 'works',
    holds: isRefusal ? observed === expected.code : printed === expected.prints,
  };
}

function goneFinding(site: Site): ProbeFinding {
  const left = sleepers(site).length;
  return {
    id: 'process.gone',
    says: 'outlive its end',
    expected: 'all ended',
    observed: left === 0 ? 'all ended' : `${left} still live`,
    holds: left === 0,
  };
}
