import type {
  ApprovalAnswer,
  ApprovalPort,
  Execution,
  Judgement,
  ModelEvent,
  ModelPort,
  PolicyPort,
  SandboxPort,
  SandboxRequest,
  Turn,
} from '@palyra/gateway';
import { DecisionKind, Executor, ToolOutcome } from '@palyra/protocol';

/** A model that says what the test wrote: turn N of the script answers its Nth turn. */
export function talkingModel(...script: readonly (readonly ModelEvent[])[]): ModelPort & {
  readonly heard: (readonly Turn[])[];
} {
  const heard: (readonly Turn[])[] = [];
  return {
    name: 'talking',
    isScript: true,
    heard,
    async *reply(conversation, signal) {
      heard.push([...conversation]);
      const turn = conversation.filter(({ role }) => role === 'model').length;
      for (const event of script[turn] ?? []) {
        signal.throwIfAborted();
        yield event;
      }
    },
  };
}

/** A model that begins to speak and then waits until it is stopped. */
export function endlessModel(first: string): ModelPort {
  return {
    name: 'endless',
    isScript: true,
    async *reply(_conversation, signal) {
      yield { kind: 'text', text: first };
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
  };
}

export function policyThatSays(...answers: readonly Partial<Judgement>[]): PolicyPort {
  let asked = 0;
  return {
    judge: async () => {
      const answer = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      return {
        kind: DecisionKind.DENY,
        reason: 'the test says so',
        help: 'change the test',
        ruleIds: ['test-rule'],
        policySetHash: 'test-set',
        ...answer,
      };
    },
  };
}

export function approverThatSays(answer: ApprovalAnswer): ApprovalPort {
  return { ask: async () => answer };
}

/** Runs nothing; remembers what it was asked to run. */
export function rememberingSandbox(output = 'done'): SandboxPort & {
  readonly requests: SandboxRequest[];
} {
  const requests: SandboxRequest[] = [];
  return {
    executor: Executor.SANDBOX_TIER_B_RLIMITS,
    requests,
    execute: async (request): Promise<Execution> => {
      requests.push(request);
      return {
        outcome: ToolOutcome.SUCCEEDED,
        executor: Executor.SANDBOX_TIER_B_RLIMITS,
        enforcement: 'test',
        output: new TextEncoder().encode(output),
      };
    },
  };
}
