import { CheckCircle2, CircleAlert, CircleX } from 'lucide-react';
import { CheckResult, type DoctorFinding } from '@palyra/protocol';
import { Button, Card, CodeBlock, Page, When, Words } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { gateway } from '../wire/gateway.ts';
import { useAsk } from '../wire/use-ask.ts';

/** Everything that the gateway can see of its own health, and what to do about it. */
export function DoctorPage() {
  const findings = useAsk(['doctor'], (signal) => gateway.doctor.diagnose({}, { signal }));
  return (
    <Page
      title="Doctor"
      says="What the gateway sees of its own health"
      actions={
        <Button isBusy={findings.isFetching} onClick={() => void findings.refetch()}>
          Look again
        </Button>
      }
    >
      <Card
        title={findings.data === undefined ? 'Checks' : summaryOf(findings.data.findings)}
        aside={
          findings.data === undefined ? undefined : (
            <span className="text-xs text-soft">
              looked <When at={findings.data.examinedAt} />
            </span>
          )
        }
        padding="none"
      >
        <Answer of={findings} lines={8}>
          {(data) => (
            <ul className="divide-y divide-line">
              {data.findings.map((finding) => (
                <Finding key={finding.check} finding={finding} />
              ))}
            </ul>
          )}
        </Answer>
      </Card>
      {findings.data === undefined ? null : (
        <p className="text-sm text-soft">
          What is on your side of the connection, <code>palyra doctor</code> looks at, too.
        </p>
      )}
    </Page>
  );
}

function summaryOf(findings: readonly DoctorFinding[]): string {
  const failed = findings.filter(({ result }) => result === CheckResult.FAILED).length;
  const warned = findings.filter(({ result }) => result === CheckResult.WARNING).length;
  if (failed > 0) return `${failed} of ${findings.length} checks failed`;
  if (warned > 0) return `Works; ${warned} of ${findings.length} checks warn`;
  return `All ${findings.length} checks are well`;
}

function Finding({ finding }: { readonly finding: DoctorFinding }) {
  return (
    <li className="flex gap-3 px-4 py-3">
      <ResultIcon result={finding.result} />
      <div className="min-w-0 flex-1 text-sm">
        <h3 className="font-medium">{finding.check}</h3>
        <p className="wrap-anywhere">
          <Words text={finding.detail} />
        </p>
        <p className="text-soft">
          <Words text={finding.about} />
        </p>
        {finding.fix === '' ? null : (
          <div className="mt-2">
            <CodeBlock text={finding.fix} label="what to do" />
          </div>
        )}
      </div>
    </li>
  );
}

function ResultIcon({ result }: { readonly result: CheckResult }) {
  if (result === CheckResult.OK) {
    return <CheckCircle2 size={18} aria-label="Well" className="mt-0.5 shrink-0 text-good" />;
  }
  if (result === CheckResult.WARNING) {
    return <CircleAlert size={18} aria-label="Warning" className="mt-0.5 shrink-0 text-wait" />;
  }
  return <CircleX size={18} aria-label="Failed" className="mt-0.5 shrink-0 text-bad" />;
}
