import type { Rule } from '../model.ts';
import { attributesRead, variablesRead } from './request-key.ts';
import type { Asked, IsAbout } from './scope.ts';

/** The rules in whose scope it is to ask for something. */
export interface Concern {
  /** Equal for the same rules. */
  readonly key: string;
  readonly reads: Reads;
  readonly changed: readonly Rule[];
  readonly others: readonly Rule[];
}

/** What these rules see of a request beyond their scopes. */
export interface Reads {
  readonly attributes: ReadonlySet<string> | 'all';
  readonly principal: boolean;
  readonly resource: boolean;
}

/**
 * Nearly all requests concern the same few lots of rules: each lot is read once. `undefined` where none
 * of the changed rules is concerned: both sets say the same there.
 */
export function concerning(
  rules: readonly Rule[],
  changed: ReadonlySet<Rule>,
  isAbout: IsAbout,
): (request: Asked) => Concern | undefined {
  const known = new Map<string, Concern>();
  return (request) => {
    if (!changed.values().some((rule) => isAbout(rule, request))) return undefined;
    const concerned = rules
      .entries()
      .filter(([, rule]) => isAbout(rule, request))
      .toArray();
    const key = concerned.map(([place]) => place).join();
    const concern =
      known.get(key) ??
      concernOf(
        key,
        concerned.map(([, rule]) => rule),
        changed,
      );
    known.set(key, concern);
    return concern;
  };
}

function concernOf(key: string, rules: readonly Rule[], changed: ReadonlySet<Rule>): Concern {
  return {
    key,
    reads: readsOf(rules),
    changed: rules.filter((rule) => changed.has(rule)),
    others: rules.filter((rule) => !changed.has(rule)),
  };
}

function readsOf(rules: readonly Rule[]): Reads {
  const attributes = attributesRead(rules);
  const variables = variablesRead(rules);
  // What a tool is capable of stands in the context too.
  const isCapabilityRead = attributes === 'all' || attributes.has('capabilities');
  return {
    attributes,
    principal: variables.has('principal'),
    resource: variables.has('resource') || isCapabilityRead,
  };
}
