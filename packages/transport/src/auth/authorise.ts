import type { DescMethod } from '@bufbuild/protobuf';
import type { ContextValues, Interceptor } from '@connectrpc/connect';
import { demand } from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import { type Access, accessOf } from './access-of.ts';
import { callerIn, openCallKey } from './context.ts';

/** Around every call of every door: what the method declares is demanded, and nothing passes without. */
export function authorise(): Interceptor {
  // Options are read from bytes; once a method is enough.
  const declared = new Map<DescMethod, Access | undefined>();
  const declaredBy = (method: DescMethod) => {
    if (!declared.has(method)) declared.set(method, accessOf(method));
    return declared.get(method);
  };
  return (next) => async (request) => {
    admit(request.contextValues, declaredBy(request.method));
    return await next(request);
  };
}

function admit(values: ContextValues, access: Access | undefined): void {
  // INVARIANT: a method that declares nothing is closed to everybody; the check of the repository
  // says so earlier, and this holds without it.
  if (access === undefined) throw new PalyraError('PERMISSION_DENIED', 'nobody may call this');
  switch (access.to) {
    case 'strangers':
      return;
    case 'callers':
      callerIn(values);
      return;
    case 'holders':
      demand(callerIn(values), access.permission);
      values.get(openCallKey)?.needs(access.permission);
  }
}
