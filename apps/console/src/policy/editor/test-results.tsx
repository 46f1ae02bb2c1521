import type { TestPolicyResponse } from '@palyra/protocol';
import { Badge } from '@palyra/ui';
import { Problems } from '../problems.tsx';

export function TestResults({ tests }: { readonly tests: TestPolicyResponse }) {
  const failed = tests.results.filter(({ passed }) => !passed);
  return (
    <section className="flex flex-col gap-2 text-sm">
      <h3 className="flex items-center gap-2 font-medium">
        Tests
        {tests.results.length === 0 ? (
          <Badge tone="wait">no case was run</Badge>
        ) : (
          <Badge tone={failed.length === 0 ? 'good' : 'bad'}>
            {tests.results.length - failed.length} of {tests.results.length} passed
          </Badge>
        )}
      </h3>
      <Problems problems={tests.problems} />
      {tests.results.length === 0 && tests.folder !== '' ? (
        <p className="text-soft">
          Cases are files called <code>*.policytest.toml</code> in <code>{tests.folder}</code>.
        </p>
      ) : null}
      <ul className="flex flex-col gap-1">
        {failed.map(({ file, line, name, difference }) => (
          <li key={`${file}:${line}`}>
            <code className="text-bad">
              {file}:{line}
            </code>{' '}
            {name}: {difference}
          </li>
        ))}
      </ul>
    </section>
  );
}
