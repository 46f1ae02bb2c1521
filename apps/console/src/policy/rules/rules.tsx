import { useState } from 'react';
import { useRouterState } from '@tanstack/react-router';
import type { GetPolicyResponse, RuleActivity } from '@palyra/protocol';
import { Badge, Card, Empty, Facts, Field, Input, ShortId, When } from '@palyra/ui';
import { gateway } from '../../wire/gateway.ts';
import { useAsk } from '../../wire/use-ask.ts';
import { LAYERS } from '../layers.ts';
import { Problems } from '../problems.tsx';
import { RuleRow } from './rule-row.tsx';

/** As far back as it is counted which rule decided. */
const DAYS = 7;

export function Rules({ policy }: { readonly policy: GetPolicyResponse }) {
  const [text, setText] = useState('');
  const meant = useRouterState({ select: ({ location }) => location.hash });
  const activity = useAsk(['activity', 'rules'], (signal) =>
    gateway.activity.getRuleActivity({ days: DAYS }, { signal }),
  );
  const uses = new Map<string, RuleActivity>(
    activity.data?.rules.map((rule) => [rule.ruleId, rule]),
  );
  const words = text.trim().toLowerCase();
  const shown = policy.rules.filter(({ id, text: source }) =>
    `${id} ${source}`.toLowerCase().includes(words),
  );
  return (
    <div className="flex flex-col gap-4">
      <Summary policy={policy} />
      <Problems problems={policy.problems} />
      <Field label="Find a rule">
        {(id) => (
          <Input
            id={id}
            type="search"
            value={text}
            placeholder="an id, a tool, a word of a rule…"
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {shown.length === 0 ? <Empty title="No rule is like that" /> : null}
      {LAYERS.map(({ layer, name, says }) => {
        const rules = shown.filter((rule) => rule.layer === layer);
        return rules.length === 0 ? null : (
          <Card
            key={layer}
            title={`${name} (${rules.length})`}
            aside={<span className="text-xs text-soft">{says}</span>}
            padding="none"
          >
            <ul className="divide-y divide-line">
              {rules.map((rule) => (
                <RuleRow
                  key={rule.id}
                  rule={rule}
                  use={uses.get(rule.id)}
                  days={DAYS}
                  isCounted={activity.data !== undefined}
                  isMeant={[rule.id, encodeURIComponent(rule.id)].includes(meant)}
                />
              ))}
            </ul>
          </Card>
        );
      })}
    </div>
  );
}

function Summary({ policy }: { readonly policy: GetPolicyResponse }) {
  return (
    <Card>
      <Facts
        facts={[
          [
            'Mode',
            <Badge key="mode" tone={policy.mode === 'closed' ? 'bad' : 'accent'}>
              {policy.mode}
            </Badge>,
          ],
          ['Set', <ShortId key="set" id={policy.policySetHash} />],
          ['In force since', <When key="since" at={policy.changedAt} />],
          ['Engine', policy.engine],
          ...(policy.shadowHash === ''
            ? []
            : [['Shadow', <ShortId key="shadow" id={policy.shadowHash} />] as const]),
        ]}
      />
    </Card>
  );
}
