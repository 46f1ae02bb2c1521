import type { ServiceImpl } from '@connectrpc/connect';
import type { TokensPort } from '@palyra/gateway';
import type { TokenService } from '@palyra/protocol';
import { callerIn } from '../auth/context.ts';

export function tokenService(tokens: TokensPort): ServiceImpl<typeof TokenService> {
  return {
    createToken: (request, { values }) => tokens.create(request, callerIn(values)),
    listTokens: async () => ({ tokens: [...(await tokens.list())] }),
    rotateToken: ({ token }, { values }) => tokens.rotate(token, callerIn(values)),
    revokeToken: async ({ token }, { values }) => ({
      token: await tokens.revoke(token, callerIn(values)),
    }),
  };
}
