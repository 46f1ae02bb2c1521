import { visibleText } from '@palyra/kernel';
import { useHealth } from '../wire/use-health.ts';

export interface WorkspaceChoiceProps {
  /** Empty: the one that the gateway was started in. */
  readonly chosen: string;
  readonly onChoose: (workspace: string) => void;
}

/** Which folder a new session works in; which one it is where there is no choice. */
export function WorkspaceChoice({ chosen, onChoose }: WorkspaceChoiceProps) {
  const { data } = useHealth();
  if (data === undefined) return null;
  const { workspace: home, furtherWorkspaces } = data;
  if (furtherWorkspaces.length === 0) {
    return <code className="text-xs break-all text-soft">{visibleText(home, 'one-line')}</code>;
  }
  return (
    <select
      aria-label="Workspace"
      value={chosen === '' ? home : chosen}
      onChange={({ target }) => onChoose(target.value === home ? '' : target.value)}
      className="h-9 max-w-full min-w-0 truncate rounded-lg border border-line bg-card px-2 font-mono text-xs hover:border-strong-line"
    >
      {[home, ...furtherWorkspaces].map((path) => (
        <option key={path} value={path}>
          {visibleText(path, 'one-line')}
        </option>
      ))}
    </select>
  );
}
