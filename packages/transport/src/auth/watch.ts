import { type Log, PalyraError } from '@palyra/kernel';
import type { Permission } from '@palyra/protocol';
import {
  type Known,
  type Proof,
  type Rules,
  type StandingSources,
  stillCallerOf,
} from './caller-of.ts';

/** A call while it is open. */
export interface OpenCall {
  /** What it was let in for, and must go on holding; `undefined` is what every caller may. */
  needs(permission: Permission | undefined): void;
  leave(): void;
}

/** Looks again at whoever is connected, so that what was taken back ends what is open. */
export interface Watch {
  /** `end` closes the connection. Contract: returns how to forget it. */
  addLink(proof: Proof, end: () => void): () => void;
  /** `end` closes the call, and over HTTP/1.1 its connection. */
  enter(proof: Proof, end: () => void): OpenCall;
  /** Whether a certificate has run out, which changes nothing in the registry. */
  isDue(): boolean;
  /** Contract: never rejects; ends everything whose proof does not hold any more. */
  sweep(): Promise<void>;
}

interface Watched {
  readonly proof: Proof;
  readonly end: () => void;
  /** Absent for a connection, and for a call that is not let in yet. */
  letIn?: { readonly for: Permission | undefined };
}

export interface WatchSources extends StandingSources {
  readonly rules: Rules;
}

export function createWatch(sources: WatchSources, log: Log): Watch {
  const watched = new Set<Watched>();
  const add = (entry: Watched) => {
    watched.add(entry);
    return () => void watched.delete(entry);
  };
  return {
    addLink: (proof, end) => add({ proof, end }),
    enter(proof, end) {
      const entry: Watched = { proof, end };
      const leave = add(entry);
      return {
        leave,
        needs(permission) {
          entry.letIn = { for: permission };
        },
      };
    },
    isDue() {
      const now = sources.clock.now();
      return watched.values().some(({ proof: { certificate } }) => {
        return certificate !== undefined && certificate.notAfter <= now;
      });
    },
    async sweep() {
      const seen = new Map<Proof, Promise<Known>>();
      const look = async (entry: Watched) => {
        const { proof } = entry;
        const known = seen.get(proof) ?? stillCallerOf(proof, sources);
        seen.set(proof, known);
        const fault = await faultOf(known, entry, sources.rules);
        // Whoever left meanwhile has nothing left to close.
        if (fault === undefined || !watched.delete(entry)) return;
        log.info('ended what is not allowed any more', { by: proof.by, code: fault.code });
        entry.end();
      };
      // All at once: one slow look must not hold up the end of another.
      await Promise.all([...watched].map(look));
    },
  };
}

async function faultOf(
  known: Promise<Known>,
  { letIn }: Watched,
  rules: Rules,
): Promise<PalyraError | undefined> {
  try {
    const { caller } = await known;
    if (letIn !== undefined) await rules.authorise(caller, letIn.for);
    return undefined;
  } catch (reason) {
    // Any doubt ends it.
    return PalyraError.from(reason);
  }
}
