import { execFile } from 'node:child_process';
import { access, constants, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Environment, type JsonObject, PalyraError } from '@palyra/kernel';
import { askDaemonProgram } from '../daemon-program.ts';
import { inline, shortTime } from '../render/words.ts';
import { readTiers } from '../verdict-answer.ts';
import { asRoot } from './as-root.ts';
import type { Check, Finding } from './check.ts';

/** What was proven on this machine; where nothing was kept, it is tried now. */
export const checkSandbox: Check = async ({ shell, places }) => {
  try {
    await access(places.stateDir, constants.F_OK);
  } catch {
    // Nothing there yet is how every installation begins; whoever only looks makes nothing.
    return { check: SANDBOX, result: 'ok', detail: 'will be proven at the first start' };
  }
  try {
    return sandboxFinding(await askDaemonProgram(shell, ['sandbox', 'status']));
  } catch (reason) {
    const { message, help } = PalyraError.from(reason);
    return { check: SANDBOX, result: 'warning', detail: inline(message), fix: inline(help) };
  }
};

const SANDBOX = 'sandbox';

/** Contract: pure. Without tier C nothing that a tool starts can run; everything else can. */
export function sandboxFinding({ standings, provenAt }: JsonObject): Finding {
  const tier = readTiers(standings).find((each) => each.tier === 'C');
  if (tier === undefined) {
    return { check: SANDBOX, result: 'warning', detail: 'nobody knows what it holds here' };
  }
  if (tier.state !== 'proven') {
    const state = tier.state === 'not-proven' ? '' : 'refused: ';
    const detail = `tier C is ${state}${tier.reason}`;
    return { check: SANDBOX, result: 'warning', detail, fix: tier.help };
  }
  const when = typeof provenAt === 'string' ? ` on ${shortTime(provenAt)}` : '';
  const detail = `tier C is proven, by ${tier.step}${when}`;
  const [weakness] = tier.weaknesses;
  if (weakness === undefined) return { check: SANDBOX, result: 'ok', detail };
  return { check: SANDBOX, result: 'warning', detail: `${detail}; but ${weakness}`, fix: SHOWN };
}

const SHOWN = '`palyra sandbox status` tells what can be mended';

const runFile = promisify(execFile);
/** A probe that hangs must not hang the doctor. */
const PROBE_LIMITS = { timeout: 5000, maxBuffer: 64 * 1024, env: {} } as const;
const ONLY_LINUX = 'needed on Linux only';

export const checkBubblewrap: Check = async ({ shell }) => {
  const check = 'bubblewrap';
  if (process.platform !== 'linux') return { check, result: 'ok', detail: ONLY_LINUX };
  const program = await findProgram('bwrap', shell.environment);
  if (program === undefined) {
    const detail = 'not installed; sandbox tier C will need it';
    return { check, result: 'warning', detail, fix: asRoot('apt-get install bubblewrap') };
  }
  try {
    const { stdout } = await runFile(program, ['--version'], PROBE_LIMITS);
    return { check, result: 'ok', detail: `${inline(stdout.trim())}, ${program}` };
  } catch {
    const detail = `${program} does not run`;
    return {
      check,
      result: 'warning',
      detail,
      fix: asRoot('apt-get install --reinstall bubblewrap'),
    };
  }
};

/** Trying it is the only answer that counts; the settings are asked where nothing can try it. */
export const checkUserNamespaces: Check = async ({ shell }) => {
  const check = 'user namespaces';
  if (process.platform !== 'linux') return { check, result: 'ok', detail: ONLY_LINUX };
  const program = await findProgram('unshare', shell.environment);
  if (program === undefined) return await readSettings(check);
  try {
    await runFile(program, ['--user', '--map-root-user', '/bin/true'], PROBE_LIMITS);
    return { check, result: 'ok', detail: 'a process can have its own' };
  } catch {
    const detail = 'the kernel or this container refuses them; sandbox tier C will need them';
    return { check, result: 'warning', detail, fix: await fixForNamespaces() };
  }
};

async function readSettings(check: string): Promise<Finding> {
  const most = await setting('/proc/sys/user/max_user_namespaces');
  if (most === '0') {
    return { check, result: 'warning', detail: 'switched off', fix: await fixForNamespaces() };
  }
  return { check, result: 'ok', detail: 'allowed by the kernel, not tried' };
}

async function fixForNamespaces(): Promise<string> {
  if ((await setting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns')) === '1') {
    return asRoot('sysctl kernel.apparmor_restrict_unprivileged_userns=0');
  }
  if ((await setting('/proc/sys/kernel/unprivileged_userns_clone')) === '0') {
    return asRoot('sysctl kernel.unprivileged_userns_clone=1');
  }
  if ((await setting('/proc/sys/user/max_user_namespaces')) === '0') {
    return asRoot('sysctl user.max_user_namespaces=10000');
  }
  return 'allow user namespaces for this container or user';
}

/** Contract: empty where this kernel has no such setting. */
async function setting(path: string): Promise<string> {
  return await readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
}

async function findProgram(name: string, environment: Environment): Promise<string | undefined> {
  for (const folder of (environment['PATH'] ?? '').split(delimiter)) {
    // A relative entry would mean whatever directory we are in.
    if (!folder.startsWith('/')) continue;
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
