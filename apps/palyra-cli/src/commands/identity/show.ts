import { PalyraError } from '@palyra/kernel';
import {
  AuthoritySchema,
  GetCallerResponseSchema,
  type GetAuthoritiesResponse,
} from '@palyra/protocol';
import type { PalyraClient } from '@palyra/client';
import { type Invocation, wantsJson } from '../../command.ts';
import { linkOf } from '../../daemon.ts';
import type { Exit } from '../../exit-codes.ts';
import { callerFields, printAuthorities } from '../../render/identity.ts';
import { printFields } from '../../render/layout.ts';
import { wireJson } from '../../wire-json.ts';

export async function run(invocation: Invocation): Promise<Exit> {
  const { terminal } = invocation.shell;
  const link = linkOf(invocation.shell);
  const { identity } = await link.open();
  const [caller, known] = await Promise.all([
    link.client.identity.getCaller({}),
    authoritiesIfAllowed(link.client),
  ]);
  if (wantsJson(invocation)) {
    const { gateway, address, deviceName, notAfter, authorityId } = identity;
    terminal.json('identity', {
      caller: wireJson(GetCallerResponseSchema, caller),
      gateway: { name: gateway, address, deviceName, notAfter, authorityId },
      authorities: known?.authorities.map((one) => wireJson(AuthoritySchema, one)) ?? null,
    });
    return 'ok';
  }
  printFields(terminal, callerFields(caller, identity));
  if (known === undefined) return 'ok';
  terminal.print('');
  printAuthorities(terminal, known.authorities);
  return 'ok';
}

/** Contract: `undefined` for somebody who may not see them; who they are they may always see. */
async function authoritiesIfAllowed(
  client: PalyraClient,
): Promise<GetAuthoritiesResponse | undefined> {
  try {
    return await client.identity.getAuthorities({});
  } catch (reason) {
    if (PalyraError.from(reason).code === 'PERMISSION_DENIED') return undefined;
    throw reason;
  }
}
