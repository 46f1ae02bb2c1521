import { Readiness } from '@palyra/protocol';
import { Badge, Card, Facts, type Tone, When } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { useHealth } from '../wire/use-health.ts';
import { wordOf } from '../wire/words.ts';
import { writeBytes } from './amounts.ts';
import { More } from './more.tsx';

export function GatewayCard() {
  const health = useHealth();
  return (
    <Card title="Gateway" aside={<More to="/doctor" label="Doctor" />}>
      <Answer of={health} lines={8}>
        {(data) => (
          <>
            <Facts
              facts={[
                [
                  'State',
                  <Badge key="state" tone={toneOf(data.readiness)}>
                    {wordOf(Readiness, data.readiness)}
                  </Badge>,
                ],
                ['Version', `${data.version}, ${data.profile}`],
                ['Model', data.model],
                ['Workspace', <code key="workspace">{data.workspace}</code>],
                ['Up since', <When key="since" at={data.startedAt} />],
                ['Journal', `${data.journalSequence} entries`],
                ['Memory', writeBytes(data.residentBytes)],
              ]}
            />
            {data.missing.length === 0 ? null : (
              <details className="mt-3 text-sm">
                <summary className="cursor-pointer text-wait">
                  {data.missing.length} {data.missing.length === 1 ? 'part is' : 'parts are'}{' '}
                  missing
                </summary>
                <ul className="mt-2 flex flex-col gap-2">
                  {data.missing.map(({ name, reason, help }) => (
                    <li key={name}>
                      <span className="font-medium">{name}</span>: {reason}
                      {help === '' ? null : <span className="block text-soft">{help}</span>}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </Answer>
    </Card>
  );
}

function toneOf(readiness: Readiness): Tone {
  if (readiness === Readiness.READY) return 'good';
  return readiness === Readiness.FAILED ? 'bad' : 'wait';
}
