import type { DescMethod } from '@bufbuild/protobuf';
import type { ContextValues, Interceptor } from '@connectrpc/connect';
import { PalyraError } from '@palyra/kernel';
import { type Access, accessOf } from './access-of.ts';
import type { Rules } from './caller-of.ts';
import { callerIn, openCallKey } from './context.ts';

/**
 * Around every call of every door: what the method declares is demanded, and then the rules are
 * asked, which can only take away. Whoever is refused is in the journal.
 */
export function authorise(rules: Rules): Interceptor {
  // Options are read from bytes; once a method is enough.
  const declared = new Map<DescMethod, Access | undefined>();
  const declaredBy = (method: DescMethod) => {
    if (!declared.has(method)) declared.set(method, accessOf(method));
    return declared.get(method);
  };
  return (next) => async (request) => {
    await admit(request.contextValues, declaredBy(request.method), rules);
    return await next(request);
  };
}

async function admit(
  values: ContextValues,
  access: Access | undefined,
  rules: Rules,
): Promise<void> {
  // INVARIANT: a method that declares nothing is closed to everybody; the check of the repository
  // says so earlier, and this holds without it.
  if (access === undefined) throw new PalyraError('PERMISSION_DENIED', 'nobody may call this');
  switch (access.to) {
    case 'strangers':
      return;
    case 'callers':
      await rules.authorise(callerIn(values), undefined);
      values.get(openCallKey)?.needs(undefined);
      return;
    case 'holders': {
      const caller = callerIn(values);
      await rules.authorise(caller, access.permission);
      values.get(openCallKey)?.needs(access.permission);
    }
  }
}
