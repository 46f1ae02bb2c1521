import { Link } from '@tanstack/react-router';
import { type BacktestProgress, type ChangedDecisions, DecisionKind } from '@palyra/protocol';
import { Badge, Cell, Facts, Table } from '@palyra/ui';
import { usePeople } from '../../app/use-people.ts';
import { wordOf } from '../../wire/words.ts';

/** How the calls of the journal would have been decided. */
export function Backtest({ progress }: { readonly progress: BacktestProgress }) {
  const { report, read, total } = progress;
  if (report === undefined) {
    return (
      <label className="flex flex-col gap-1 text-sm">
        Decided {String(progress.decided)} calls again
        <progress value={Number(read)} max={Math.max(1, Number(total))} className="w-full" />
      </label>
    );
  }
  return (
    <section className="flex min-w-0 flex-col gap-3 text-sm">
      <h3 className="flex items-center gap-2 font-medium">
        The past, decided again
        <Badge tone={report.widened === 0n ? 'good' : 'wait'}>
          {report.widened === 0n ? 'nothing would be wider' : `${report.widened} wider`}
        </Badge>
      </h3>
      <Facts
        facts={[
          ['Calls', String(report.calls)],
          ['As before', String(report.unchanged)],
          ['Wider', String(report.widened)],
          ['Narrower', String(report.narrowed)],
          ['Not judged', String(report.unjudged + report.skipped)],
        ]}
      />
      {report.changes.length === 0 ? null : <Changes changes={report.changes} />}
    </section>
  );
}

function Changes({ changes }: { readonly changes: readonly ChangedDecisions[] }) {
  const nameOf = usePeople();
  return (
    <div className="rounded-lg border border-line">
      <Table
        label="Changed decisions"
        columns={['Tool', 'Who', 'Before', 'After', 'Calls', 'Seen']}
      >
        {changes.map((change) => (
          <tr key={`${change.tool} ${change.principal} ${change.before} ${change.after}`}>
            <Cell>{change.tool}</Cell>
            <Cell>{nameOf(change.principal)}</Cell>
            <Cell>{wordOf(DecisionKind, change.before)}</Cell>
            <Cell>
              <Badge tone={change.widened ? 'wait' : 'plain'}>{afterWord(change)}</Badge>
            </Cell>
            <Cell>{String(change.count)}</Cell>
            <Cell>
              {change.examples.slice(0, 1).map((entryId) => (
                <Link
                  key={entryId}
                  to="/journal/$entryId"
                  params={{ entryId }}
                  className="text-accent underline"
                >
                  an example
                </Link>
              ))}
            </Cell>
          </tr>
        ))}
      </Table>
    </div>
  );
}

/** A call that was approved, where that would be too little, is asked about again and more. */
function afterWord({ before, after, widened }: ChangedDecisions): string {
  return before === after && !widened ? 'needs another approval' : wordOf(DecisionKind, after);
}
