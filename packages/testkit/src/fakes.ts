import { create } from '@bufbuild/protobuf';
import type {
  ApprovalAnswer,
  ApprovalPort,
  Execution,
  GatewayParts,
  JudgedCall,
  Judgement,
  ModelDesk,
  ModelEvent,
  ModelPort,
  PolicyDesk,
  PolicyPort,
  SandboxPort,
  SandboxRequest,
  Turn,
  UndoPort,
  WorkspacePort,
} from '@palyra/gateway';
import { PalyraError } from '@palyra/kernel';
import {
  type CallPreview,
  DecisionKind,
  Executor,
  GetConfigResponseSchema,
  SandboxSchema,
  SandboxTier,
  ToolOutcome,
  WorkspaceFolderSchema,
} from '@palyra/protocol';

/** A model that says what the test wrote: turn N of the script answers its Nth turn since a person spoke. */
export function talkingModel(...script: readonly (readonly ModelEvent[])[]): ModelPort & {
  readonly heard: (readonly Turn[])[];
} {
  const heard: (readonly Turn[])[] = [];
  return {
    name: 'talking',
    isScript: true,
    choose: () => ({ kind: 'chosen', name: 'talking' }),
    price: () => undefined,
    heard,
    async *reply({ conversation }, signal) {
      heard.push([...conversation]);
      const asked = conversation.findLastIndex(({ role }) => role === 'user');
      const turn = conversation.slice(asked).filter(({ role }) => role === 'model').length;
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
    choose: () => ({ kind: 'chosen', name: 'endless' }),
    price: () => undefined,
    async *reply(_conversation, signal) {
      yield { kind: 'text', text: first };
      signal.throwIfAborted();
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
  };
}

/** Nobody can be asked about models where none is configured. */
export function deskWithoutModels(): ModelDesk {
  return {
    list: () => [],
    offered: async () => [],
    ask: () => {
      throw new PalyraError('NOT_FOUND', 'this test has no models');
    },
  };
}

/** Judges as the test wrote; whoever asks for something else gets what their role allows. */
export function policyThatSays(...answers: readonly Partial<Judgement>[]): PolicyPort & {
  readonly judged: JudgedCall[];
} {
  const judged: JudgedCall[] = [];
  return {
    judged,
    judge: async (call) => {
      const answer = answers[Math.min(judged.length, answers.length - 1)];
      judged.push(call);
      return {
        kind: DecisionKind.DENY,
        reason: 'the test says so',
        help: 'change the test',
        ruleIds: ['test-rule'],
        policySetHash: 'test-set',
        gates: [],
        engine: 'test',
        ...answer,
      };
    },
    authorise: async () => {},
    turnAway: async () => {},
    touch: async () => {},
    mayTouch: async () => true,
    mayConnect: async () => true,
  };
}

/** What has no rules to show: whoever asks for any is told so. */
export function deskWithoutRules(): PolicyDesk {
  const refuse = async (): Promise<never> => {
    throw new PalyraError('NOT_FOUND', 'this test has no rules');
  };
  return {
    revision: () => 0,
    health: () => ({ mode: 'ask', policySetHash: '', rules: 0, problems: [] }),
    show: refuse,
    explain: refuse,
    foresee: refuse,
    foreseeAct: refuse,
    check: refuse,
    test: refuse,
    compare: refuse,
    rehearse: refuse,
    async *backtest() {
      yield await refuse();
    },
    reload: refuse,
    apply: refuse,
    startShadow: refuse,
    stopShadow: refuse,
    shadow: async () => undefined,
  };
}

type PlainDesk = 'model' | 'policy' | 'sandbox' | 'config' | 'doctor';

/** What people may ask about a daemon, where there is none around the gateway. */
export function plainDesks(): Pick<GatewayParts, `${PlainDesk}Desk`> {
  return {
    modelDesk: deskWithoutModels(),
    policyDesk: deskWithoutRules(),
    sandboxDesk: {
      show: async () => create(SandboxSchema),
      prove: async () => create(SandboxSchema),
    },
    configDesk: { show: () => create(GetConfigResponseSchema) },
    doctorDesk: { examine: async () => [] },
  };
}

export function approverThatSays(answer: ApprovalAnswer): ApprovalPort {
  return { ask: async () => answer, withdraw: async () => {}, withdrawAll: async () => {} };
}

const PREVIEW: CallPreview = {
  $typeName: 'palyra.v1.CallPreview',
  tier: SandboxTier.UNSPECIFIED,
  executor: Executor.SANDBOX_TIER_B_RLIMITS,
  posture: 'test',
  workspace: '',
  changes: [],
  diff: '',
  diffBytesLeftOut: 0,
  namedFiles: [],
  directory: '',
  foldersMayChange: false,
};

/** Runs nothing; remembers what it was asked to run. */
export function rememberingSandbox(output = 'done'): SandboxPort & {
  readonly requests: SandboxRequest[];
} {
  const requests: SandboxRequest[] = [];
  return {
    place: async () => ({ tier: 'none', executor: Executor.SANDBOX_TIER_B_RLIMITS }),
    preview: async () => PREVIEW,
    expect: () => {},
    expectRun: () => {},
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

/** The same folder for every gateway of a test, unless that chooses another. */
export function workspaceCalled(path: string, number: string): WorkspacePort {
  return {
    home: path,
    has: (asked) => asked === path,
    choose: (named) => {
      if (named === '' || named === path) return path;
      throw new PalyraError('SANDBOX_SCOPE_DENIED', 'no run works there');
    },
    now: () => create(WorkspaceFolderSchema, { path, number }),
  };
}

export const TEST_WORKSPACE = workspaceCalled('/workspace', '1:2');

/** No file was ever changed, so nothing can be given back. */
export function nothingKept(): UndoPort {
  const error = new PalyraError('NOT_FOUND', 'nothing is kept');
  return {
    look: async () => ({ kind: 'refused', error }),
    restore: async () => error,
    tidy: async () => {},
  };
}
