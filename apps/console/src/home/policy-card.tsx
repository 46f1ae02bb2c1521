import { Badge, Card, Facts, ShortId, When } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { gatewayLater } from '../wire/second.ts';
import { useAsk } from '../wire/use-ask.ts';
import { More } from './more.tsx';

export function PolicyCard() {
  const policy = useAsk(['policy', 'active'], async (signal) =>
    (await gatewayLater()).policy.getPolicy({}, { signal }),
  );
  return (
    <Card title="Policy" aside={<More to="/policy" label="Rules" />}>
      <Answer of={policy} lines={4}>
        {({ mode, policySetHash, rules, changedAt, problems, shadowHash }) => (
          <>
            <Facts
              facts={[
                [
                  'Mode',
                  <Badge key="mode" tone={mode === 'closed' ? 'bad' : 'accent'}>
                    {mode}
                  </Badge>,
                ],
                ['Set', <ShortId key="set" id={policySetHash} />],
                ['Rules', String(rules.length)],
                ['In force since', <When key="since" at={changedAt} />],
                ...(shadowHash === ''
                  ? []
                  : [['Shadow', <ShortId key="shadow" id={shadowHash} />] as const]),
              ]}
            />
            {problems.length === 0 ? null : (
              <p role="alert" className="mt-3 rounded-lg bg-bad-tint px-3 py-2 text-sm text-bad">
                {problems.length} {problems.length === 1 ? 'problem' : 'problems'} at the last
                reload; the set above stays in force
              </p>
            )}
          </>
        )}
      </Answer>
    </Card>
  );
}
