import { closeSync } from 'node:fs';
import { PalyraError } from '@palyra/kernel';
import type { Libc } from '../libc.ts';
import { ALL_FILES, ALL_PORTS, ALL_SCOPES } from './rights.ts';

/** The same on every machine that we know. */
const CREATE_RULESET = 444;
const ADD_RULE = 445;
const ASK_VERSION = 1;
const PATH_BENEATH = 1;
const ATTRIBUTE_BYTES = 24;
/** Packed: a right of 64 bits and a descriptor of 32. */
const PATH_BYTES = 12;

/**
 * From this on signals and nameless sockets stay in the cage. Without, a command could end the gateway,
 * and the gateway could not end everything of the command: so nothing older is taken.
 */
export const LEAST_VERSION = 6;

/** Contract: throws SANDBOX_UNAVAILABLE and says what is there instead. */
export function insistOnLandlock(libc: Libc): number {
  const version = libc.syscall(CREATE_RULESET, [0, 0, ASK_VERSION]);
  if (version >= LEAST_VERSION) return version;
  const found =
    version > 0 ? `this kernel has version ${version} of Landlock` : 'this kernel has no Landlock';
  throw new PalyraError('SANDBOX_UNAVAILABLE', `${found}, and version ${LEAST_VERSION} is needed`, {
    help: 'use Linux 6.12 or later with `landlock` among its security modules (`lsm=landlock,…`)',
  });
}

/** Rules in the making. Contract: the caller closes `descriptor`. */
export interface RuleSet extends Disposable {
  readonly descriptor: number;
  /** Contract: `place` is left open; throws SANDBOX_FAILED. */
  allow(place: number, rights: number): void;
}

/** Denies every file, port and signal outside until a rule allows it. */
export function makeRules(libc: Libc): RuleSet {
  return ruleSet(libc, { files: ALL_FILES, ports: ALL_PORTS });
}

/** Denies signals outside, and nothing else. */
export function makeScope(libc: Libc): RuleSet {
  return ruleSet(libc, { files: 0, ports: 0 });
}

function ruleSet(
  libc: Libc,
  { files, ports }: { readonly files: number; readonly ports: number },
): RuleSet {
  const attributes = Buffer.alloc(ATTRIBUTE_BYTES);
  attributes.writeBigUInt64LE(BigInt(files), 0);
  attributes.writeBigUInt64LE(BigInt(ports), 8);
  attributes.writeBigUInt64LE(BigInt(ALL_SCOPES), 16);
  const descriptor = libc.syscall(CREATE_RULESET, [attributes, ATTRIBUTE_BYTES, 0]);
  if (descriptor < 0) throw refused('a set of rules');
  return {
    descriptor,
    allow: (place, rights) => {
      const rule = Buffer.alloc(PATH_BYTES);
      rule.writeBigUInt64LE(BigInt(rights), 0);
      rule.writeInt32LE(place, 8);
      if (libc.syscall(ADD_RULE, [descriptor, PATH_BENEATH, rule, 0]) !== 0)
        throw refused('a rule');
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

function refused(what: string): PalyraError {
  return new PalyraError('SANDBOX_FAILED', `the kernel refused ${what} of Landlock`);
}
