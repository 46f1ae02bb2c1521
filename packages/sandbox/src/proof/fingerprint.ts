import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PalyraError, canonicalBytes, sha256Hex } from '@palyra/kernel';
import { type BwrapIdentity, identifyBwrap } from '../tier-c-bubblewrap/bwrap-binary.ts';
import { findGroups } from '../tier-c-bubblewrap/cgroup.ts';
import { type Maker, type Unmade, requestFor } from './maker.ts';
import { ownProgram } from './own-program.ts';
import { callProbes } from './probes-calls.ts';
import { insideProbes } from './probes-inside.ts';
import { limitProbes } from './probes-limits.ts';
import { scriptOf } from './script.ts';
import { openSite } from './site.ts';
import type { MachineFacts } from './verdict.ts';

/** SHA-256, in hex. Contract: pure. */
export function fingerprintOf({ account, profiles, ...facts }: MachineFacts): string {
  const parts = { ...facts, account: { ...account }, profiles: { ...profiles } };
  return sha256Hex(canonicalBytes(parts));
}

export interface FactsParts {
  readonly version: string;
  readonly makers: readonly (Maker | Unmade)[];
  /** As for `prove`. */
  readonly folder: string;
}

/** Contract: starts nothing but bwrap, to ask for its version. */
export async function readFacts({ version, makers, folder }: FactsParts): Promise<MachineFacts> {
  using site = openSite(folder);
  // Always the same: what differs between two looks is not the profile.
  const request = requestFor({ ...site, token: 'profile' }, { script: 'true' });
  const profiles: Record<string, string> = { probes: probesHash(), program: ownProgram() };
  for (const maker of makers) {
    profiles[maker.step] =
      'run' in maker ? await hashOf(maker, request) : maker.refusal.slice(0, MAX_TEXT);
  }
  return {
    kernel: readFileSync('/proc/version', 'utf8').trim().slice(0, MAX_TEXT),
    arch: process.arch,
    ...describeBwrap(),
    account: { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1 },
    cgroup: findGroups()?.version ?? 'none',
    version,
    profiles,
  };
}

/** Of everything that is tried: what was proven with fewer attacks is proven anew. */
function probesHash(): string {
  const site = {
    workspace: '/w',
    outside: '/o',
    token: 't',
    nap: '1',
    corePattern: '',
    [Symbol.dispose]: () => {},
  };
  const probes = [...insideProbes(site), ...limitProbes(site)];
  const told = probes.map(({ id, says, expected }) => `${id} ${says} ${expected}`).join('\n');
  const calls = callProbes(1).map(({ id, says, expected }) => `${id} ${says} ${expected}`);
  return sha256Hex(Buffer.from([scriptOf(probes), told, ...calls].join('\n')));
}

async function hashOf(maker: Maker, request: ReturnType<typeof requestFor>): Promise<string> {
  try {
    const isPlain = maker.step === 'process';
    const asked = isPlain ? { ...request, tier: 'B' as const, ...PLAIN } : request;
    return (await maker.prepare(asked)).hash;
  } catch (reason) {
    // A refusal is a profile as well: when it goes away, everything is tried anew.
    return PalyraError.from(reason).message.slice(0, MAX_TEXT);
  }
}

const PLAIN = { executable: 'true', arguments: [], egress: { mode: 'none' } } as const;
const PATIENCE_MS = 5000;
const MAX_TEXT = 500;

/** Which file bwrap is now; empty when there is none. */
export function bwrapFileNow(): string {
  try {
    return fileOf(identifyBwrap());
  } catch {
    return '';
  }
}

function fileOf({ device, inode, size, changedMs }: BwrapIdentity): string {
  return [device, inode, size, changedMs].join(':');
}

function describeBwrap(): Pick<MachineFacts, 'bwrap' | 'bwrapFile'> {
  try {
    const identity = identifyBwrap();
    const { path } = identity;
    const { stdout } = spawnSync(path, ['--version'], {
      env: {},
      encoding: 'utf8',
      timeout: PATIENCE_MS,
      maxBuffer: MAX_TEXT,
    });
    const bwrap = `${path}, ${stdout.trim()}`.slice(0, MAX_TEXT);
    return { bwrap, bwrapFile: fileOf(identity) };
  } catch (reason) {
    return { bwrap: PalyraError.from(reason).message.slice(0, MAX_TEXT), bwrapFile: '' };
  }
}
