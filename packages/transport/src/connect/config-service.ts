import type { ServiceImpl } from '@connectrpc/connect';
import type { ConfigDesk } from '@palyra/gateway';
import type { ConfigService } from '@palyra/protocol';

export function configService(config: ConfigDesk): ServiceImpl<typeof ConfigService> {
  return { getConfig: () => config.show() };
}
