import type { SandboxProbe } from '@palyra/protocol';
import { Badge, Cell, Table, Words } from '@palyra/ui';

export interface ProbeTableProps {
  readonly label: string;
  readonly probes: readonly SandboxProbe[];
}

export function ProbeTable({ label, probes }: ProbeTableProps) {
  return (
    <Table label={label} columns={['Attack', 'Expected', 'Seen', 'Outcome']}>
      {probes.map((probe) => (
        <tr key={probe.id}>
          <Cell>
            <Words text={probe.says} /> <code className="block text-xs text-soft">{probe.id}</code>
          </Cell>
          <Cell>{probe.expected}</Cell>
          <Cell>{probe.observed}</Cell>
          <Cell>
            <Badge tone={probe.holds ? 'good' : 'bad'}>
              {probe.holds ? 'held' : 'came through'}
            </Badge>
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
