import { Link } from '@tanstack/react-router';
import { DecisionKind, Permission, ToolOutcome } from '@palyra/protocol';
import { type Tone, Words } from '@palyra/ui';
import { useMay } from '../../app/caller.ts';
import { inline } from '../../approvals/call-words.ts';
import type { CallStory } from '../story/call.ts';
import { Stage } from './stage.tsx';

export function DecisionStage({ call }: { readonly call: CallStory }) {
  const { decision, asked } = call;
  if (decision === undefined) {
    const gate = asked?.gates[0];
    if (gate === undefined) return <Stage name="Decision" tone="plain" says="not made yet" />;
    return (
      <Stage name="Decision" tone="wait" says={`a person decides: ${inline(gate.says)}`}>
        <Rules ids={asked?.gates.map(({ ruleId }) => ruleId) ?? []} />
      </Stage>
    );
  }
  const { words, tone } = decisionWords(call);
  return (
    <Stage
      name="Decision"
      tone={tone}
      says={
        <>
          {words}: <Words text={inline(decision.reason)} />
        </>
      }
    >
      {decision.help === '' ? null : (
        <p className="text-sm">
          <Words text={inline(decision.help)} />
        </p>
      )}
      <Rules ids={decision.ruleIds} />
    </Stage>
  );
}

interface DecisionWords {
  readonly words: string;
  readonly tone: Tone;
}

function decisionWords({ decision, result }: CallStory): DecisionWords {
  switch (decision?.kind) {
    case DecisionKind.ALLOW:
      return { words: 'allowed', tone: 'good' };
    case DecisionKind.NEEDS_APPROVAL:
      return { words: 'a person decides', tone: 'wait' };
    case DecisionKind.DENY:
    case DecisionKind.UNSPECIFIED:
    case undefined:
  }
  // The end of the run took it back; nobody said no.
  return result?.outcome === ToolOutcome.CANCELLED
    ? { words: 'withdrawn', tone: 'wait' }
    : { words: 'denied', tone: 'bad' };
}

function Rules({ ids }: { readonly ids: readonly string[] }) {
  const may = useMay(Permission.OBSERVABILITY_READ);
  if (ids.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-2 gap-y-1 text-sm">
      <span className="text-soft">{ids.length === 1 ? 'Rule' : 'Rules'}</span>
      {ids.map((id) =>
        may ? (
          <Link
            key={id}
            to="/policy"
            hash={id}
            className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
          >
            <code className="text-[0.8125rem]">{inline(id)}</code>
          </Link>
        ) : (
          <code key={id} className="text-[0.8125rem]">
            {inline(id)}
          </code>
        ),
      )}
    </p>
  );
}
