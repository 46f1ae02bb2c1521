import type { PolicyProblem } from '@palyra/protocol';
import { Words } from '@palyra/ui';

export interface ProblemsProps {
  readonly problems: readonly PolicyProblem[];
  /** Leads to the place. */
  readonly onChoose?: (problem: PolicyProblem) => void;
}

/** Why files were not taken, each with its place. */
export function Problems({ problems, onChoose }: ProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <ul role="alert" className="flex flex-col gap-2 rounded-lg bg-bad-tint p-3 text-sm">
      {problems.map((problem) => (
        <li key={`${problem.file}:${problem.line}:${problem.column}:${problem.reason}`}>
          {onChoose === undefined ? (
            <Place problem={problem} />
          ) : (
            <button type="button" className="hover:underline" onClick={() => onChoose(problem)}>
              <Place problem={problem} />
            </button>
          )}{' '}
          <Words text={problem.reason} />
          {problem.help === '' ? null : (
            <span className="block text-soft">
              <Words text={problem.help} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Place({ problem: { file, line, column } }: { readonly problem: PolicyProblem }) {
  const where = line === 0 ? '' : `:${line}${column === 0 ? '' : `:${column}`}`;
  return (
    <code className="font-medium text-bad">
      {file}
      {where}
    </code>
  );
}
