import type { PolicyRequest, Rule } from '../model.ts';
import { attributesRead, variablesRead } from './request-key.ts';
import type { IsAbout } from './scope.ts';

/** The rules in whose scope a request is. */
export interface Concern {
  readonly reads: Reads;
  /** One of the changed ones is among them; otherwise both sets say the same. */
  readonly isChanged: boolean;
}

/** What these rules see of a request beyond their scopes. */
export interface Reads {
  /** Equal for the same rules. */
  readonly key: string;
  readonly attributes: ReadonlySet<string> | 'all';
  readonly principal: boolean;
  readonly resource: boolean;
}

/** Nearly all requests concern the same few lots of rules: each lot is read once. */
export function concerning(
  rules: readonly Rule[],
  changed: ReadonlySet<Rule>,
  isAbout: IsAbout,
): (request: PolicyRequest) => Concern {
  const known = new Map<string, Reads>();
  return (request) => {
    const concerned = rules
      .entries()
      .filter(([, rule]) => isAbout(rule, request))
      .toArray();
    const key = concerned.map(([place]) => place).join();
    const reads =
      known.get(key) ??
      readsOf(
        concerned.map(([, rule]) => rule),
        key,
      );
    known.set(key, reads);
    return { reads, isChanged: concerned.some(([, rule]) => changed.has(rule)) };
  };
}

function readsOf(rules: readonly Rule[], key: string): Reads {
  const attributes = attributesRead(rules);
  const variables = variablesRead(rules);
  // What a tool is capable of stands in the context too.
  const isCapabilityRead = attributes === 'all' || attributes.has('capabilities');
  return {
    key,
    attributes,
    principal: variables.has('principal'),
    resource: variables.has('resource') || isCapabilityRead,
  };
}
