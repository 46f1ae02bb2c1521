import type { PolicyDifference, PolicyGain } from '@palyra/protocol';
import { gainWord } from '@palyra/client';
import { Badge, Cell, Facts, Table } from '@palyra/ui';

/** What comes of it, gains first: they are what somebody has to mean. */
export function Difference({ difference }: { readonly difference: PolicyDifference }) {
  const { addedRules, removedRules, changedRules, gains, losses, questions, leftOut } = difference;
  return (
    <section className="flex min-w-0 flex-col gap-3 text-sm">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        What comes of it
        <Badge tone={gains.length === 0 ? 'good' : 'wait'}>
          {gains.length === 0 ? 'nobody gains anything' : `${gains.length} gains`}
        </Badge>
      </h3>
      <Facts
        facts={[
          ['Added', names(addedRules)],
          ['Removed', names(removedRules)],
          ['Changed', names(changedRules)],
          ['Tried', `${questions} questions${leftOut === 0 ? '' : `; ${leftOut} left out`}`],
        ]}
      />
      <Gains way="gained" gains={gains} />
      <Gains way="lost" gains={losses} />
    </section>
  );
}

function names(rules: readonly string[]): string {
  return rules.length === 0 ? 'none' : rules.join(', ');
}

interface GainsProps {
  readonly way: 'gained' | 'lost';
  readonly gains: readonly PolicyGain[];
}

function Gains({ way, gains }: GainsProps) {
  if (gains.length === 0) return null;
  return (
    <div className="rounded-lg border border-line">
      <Table
        label={way === 'gained' ? 'What is gained' : 'What is lost'}
        columns={[way === 'gained' ? 'Gained' : 'Lost', 'Who', 'What', 'Rules']}
      >
        {gains.map((gain) => (
          <tr key={`${gain.kind} ${gain.principal} ${gain.what}`}>
            <Cell>{gainWord(gain.kind, way)}</Cell>
            <Cell>{gain.principal}</Cell>
            <Cell>{gain.what}</Cell>
            <Cell>{gain.ruleIds.join(', ')}</Cell>
          </tr>
        ))}
      </Table>
    </div>
  );
}
