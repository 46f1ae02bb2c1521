import { type DescMethod, getOption } from '@bufbuild/protobuf';
import { OpenTo, Permission, open_to, requires } from '@palyra/protocol';

/** Who may make a call, as its declaration says. */
export type Access =
  | { readonly to: 'holders'; readonly permission: Permission }
  | { readonly to: 'callers' }
  | { readonly to: 'strangers' };

/** Contract: `undefined` unless the method declares exactly one thing; nobody may call it then. */
export function accessOf(method: DescMethod): Access | undefined {
  const permission = getOption(method, requires);
  const openTo = getOption(method, open_to);
  if (permission !== Permission.UNSPECIFIED) {
    return openTo === OpenTo.UNSPECIFIED ? { to: 'holders', permission } : undefined;
  }
  if (openTo === OpenTo.CALLERS) return { to: 'callers' };
  return openTo === OpenTo.STRANGERS ? { to: 'strangers' } : undefined;
}
