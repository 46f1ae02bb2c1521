import { DecisionKind, type PolicyExplanation, type PolicyGate } from '@palyra/protocol';
import { Badge, Card, CodeBlock, Facts, ShortId, type Tone, Words } from '@palyra/ui';
import { roleWord } from '../../wire/role-words.ts';
import { CedarBlock } from '../cedar-text.tsx';

const KINDS: ReadonlyMap<DecisionKind, readonly [word: string, tone: Tone]> = new Map([
  [DecisionKind.ALLOW, ['allowed', 'good']],
  [DecisionKind.NEEDS_APPROVAL, ['a person is asked', 'wait']],
  [DecisionKind.DENY, ['denied', 'bad']],
]);

export function Explanation({ explanation }: { readonly explanation: PolicyExplanation }) {
  const [word, tone] = KINDS.get(explanation.kind) ?? ['unknown', 'plain'];
  const { request } = explanation;
  return (
    <Card title="Decision" aside={<Badge tone={tone}>{word}</Badge>} className="min-w-0">
      <div role="status" className="flex flex-col gap-4 text-sm">
        <p>
          <Words text={explanation.reason} />
        </p>
        <Lines title="What would have had to be otherwise" lines={explanation.missing} />
        <Lines title="Errors" lines={explanation.errors} />
        <Lines title="Who must say yes" lines={explanation.gates.map(gateWords)} />
        {explanation.rules.map((rule) => (
          <section key={rule.id} className="flex flex-col gap-1">
            <h3 className="font-medium">
              <code>{rule.id}</code>
            </h3>
            <CedarBlock source={rule.text} label={`Text of ${rule.id}`} />
          </section>
        ))}
        {explanation.smallestRule === '' ? null : (
          <section className="flex flex-col gap-1">
            <h3 className="font-medium">The smallest rule that {explanation.smallestRuleEffect}</h3>
            <CodeBlock text={explanation.smallestRule} label="rule" />
          </section>
        )}
        {request === undefined ? null : (
          <section className="flex flex-col gap-1">
            <h3 className="font-medium">What the rules saw</h3>
            <CodeBlock text={JSON.stringify(request.context ?? {}, null, 2)} label="facts" />
          </section>
        )}
        {explanation.help === '' ? null : (
          <p className="text-soft">
            <Words text={explanation.help} />
          </p>
        )}
        <Facts
          facts={[
            ['Set', <ShortId key="set" id={explanation.policySetHash} />],
            ['Engine', explanation.engine],
          ]}
        />
      </div>
    </Card>
  );
}

function gateWords({ ruleId, severity, quorum, approvers, strength, says }: PolicyGate): string {
  const people = quorum > 1 ? `${quorum} people` : 'one person';
  const how = strength === 'passkey' ? ', with a passkey' : '';
  return `${ruleId} (${severity}): ${people}, at least ${roleWord(approvers)}${how}. ${says}`;
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h3 className="font-medium">{title}</h3>
      <ul className="list-disc pl-5 text-soft">
        {lines.map((line) => (
          <li key={line}>
            <Words text={line} />
          </li>
        ))}
      </ul>
    </section>
  );
}
