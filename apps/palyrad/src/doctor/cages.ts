import { execFile } from 'node:child_process';
import { access, constants, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '@palyra/kernel';
import { asRoot } from './as-root.ts';
import type { Check, Outlook } from './check.ts';

const runFile = promisify(execFile);
/** A probe that hangs must not hang the doctor. */
const PROBE_LIMITS = { timeout: 4000, maxBuffer: 64 * 1024, env: {} } as const;
const ONLY_LINUX: Outlook = { result: 'ok', detail: 'needed on Linux only' };

/** What the strongest sandbox is made with. */
export function cageChecks(environment: Environment): readonly Check[] {
  return [
    {
      check: 'bubblewrap',
      about: 'the program that makes the strongest sandbox',
      look: () => (process.platform === 'linux' ? bubblewrap(environment) : ONLY_LINUX),
    },
    {
      check: 'user namespaces',
      about: 'what the kernel has to grant for it',
      look: () => (process.platform === 'linux' ? userNamespaces(environment) : ONLY_LINUX),
    },
  ];
}

async function bubblewrap(environment: Environment): Promise<Outlook> {
  const program = await findProgram('bwrap', environment);
  if (program === undefined) {
    const detail = 'not installed; sandbox tier C needs it';
    return { result: 'warning', detail, fix: asRoot('apt-get install bubblewrap') };
  }
  try {
    const { stdout } = await runFile(program, ['--version'], PROBE_LIMITS);
    return { result: 'ok', detail: `${stdout.trim()}, ${program}` };
  } catch {
    const fix = asRoot('apt-get install --reinstall bubblewrap');
    return { result: 'warning', detail: `${program} does not run`, fix };
  }
}

/** Trying it is the only answer that counts; the settings are asked where nothing can try it. */
async function userNamespaces(environment: Environment): Promise<Outlook> {
  const program = await findProgram('unshare', environment);
  if (program === undefined) return await readSettings();
  try {
    await runFile(program, ['--user', '--map-root-user', '/bin/true'], PROBE_LIMITS);
    return { result: 'ok', detail: 'a process can have its own' };
  } catch {
    const detail = 'the kernel or this container refuses them; sandbox tier C needs them';
    return { result: 'warning', detail, fix: await fixForNamespaces() };
  }
}

async function readSettings(): Promise<Outlook> {
  const most = await setting('/proc/sys/user/max_user_namespaces');
  if (most === '0') {
    return { result: 'warning', detail: 'switched off', fix: await fixForNamespaces() };
  }
  return { result: 'ok', detail: 'allowed by the kernel, not tried' };
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
