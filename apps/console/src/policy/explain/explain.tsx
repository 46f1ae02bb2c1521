import { type FormEvent, useState } from 'react';
import { Scale } from 'lucide-react';
import type { PolicyExplanation } from '@palyra/protocol';
import { Button, Card, Empty, Field, Input, TextArea } from '@palyra/ui';
import { useCaller } from '../../app/caller.ts';
import { useAct } from '../../wire/use-act.ts';
import { gateway } from '../../wire/gateway.ts';
import { Explanation } from './explanation.tsx';
import { readArguments } from './read-arguments.ts';

/** Why a call was decided as it was, or how one would be. */
export function Explain() {
  const [explanation, setExplanation] = useState<PolicyExplanation>();
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <div className="flex flex-col gap-4">
        <Supposed onExplained={setExplanation} />
        <Recorded onExplained={setExplanation} />
      </div>
      {explanation === undefined ? (
        <Card>
          <Empty icon={<Scale size={20} />} title="Which call?">
            It shows the decision, the rules that made it, and what they knew of the call.
          </Empty>
        </Card>
      ) : (
        <Explanation explanation={explanation} />
      )}
    </div>
  );
}

interface AskProps {
  readonly onExplained: (explanation: PolicyExplanation | undefined) => void;
}

function Supposed({ onExplained }: AskProps) {
  const { principal: me } = useCaller();
  const [principal, setPrincipal] = useState(me);
  const [tool, setTool] = useState('fs.read');
  const [text, setText] = useState('{ "path": "README.md" }');
  const asking = useAct({
    act: async () =>
      await gateway.policy.explainDecision({
        subject: { case: 'call', value: { principal, tool, arguments: readArguments(text) } },
      }),
    changes: [],
    after: ({ explanation }) => onExplained(explanation),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    asking.mutate();
  };
  return (
    <Card title="A call that nobody made">
      <form className="flex flex-col gap-3" onSubmit={submit}>
        <Field label="Who">
          {(id) => (
            <Input
              id={id}
              value={principal}
              onChange={({ target }) => setPrincipal(target.value)}
            />
          )}
        </Field>
        <Field label="Tool">
          {(id) => <Input id={id} value={tool} onChange={({ target }) => setTool(target.value)} />}
        </Field>
        <Field label="Arguments, as JSON">
          {(id) => (
            <TextArea
              id={id}
              rows={4}
              value={text}
              spellCheck={false}
              className="font-mono"
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="main" className="self-end" isBusy={asking.isPending}>
          Explain
        </Button>
      </form>
    </Card>
  );
}

function Recorded({ onExplained }: AskProps) {
  const [entryId, setEntryId] = useState('');
  const asking = useAct({
    act: () =>
      gateway.policy.explainDecision({ subject: { case: 'entryId', value: entryId.trim() } }),
    changes: [],
    after: ({ explanation }) => onExplained(explanation),
  });
  return (
    <Card title="A call of the journal">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          asking.mutate();
        }}
      >
        <Field label="Entry" says="The id or number of any entry of the call">
          {(id) => (
            <Input
              id={id}
              required
              value={entryId}
              onChange={({ target }) => setEntryId(target.value)}
            />
          )}
        </Field>
        <Button type="submit" className="self-end" isBusy={asking.isPending}>
          Explain
        </Button>
      </form>
    </Card>
  );
}
