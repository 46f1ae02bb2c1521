import type { ServiceImpl } from '@connectrpc/connect';
import type { SandboxFlows } from '@palyra/gateway';
import type { SandboxService } from '@palyra/protocol';
import { callerIn } from '../auth/context.ts';

export function sandboxService(sandbox: SandboxFlows): ServiceImpl<typeof SandboxService> {
  return {
    getSandbox: async () => ({ sandbox: await sandbox.show() }),
    async *watchSandbox(_request, { signal }) {
      for await (const seen of sandbox.watch(signal)) yield { sandbox: seen };
    },
    async *proveSandbox(_request, { values, signal }) {
      yield* sandbox.prove(callerIn(values), signal);
    },
  };
}
