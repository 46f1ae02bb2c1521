import { byteWords } from '@palyra/client';
import type { EgressConnection } from '@palyra/protocol';
import { Badge } from '@palyra/ui';
import { inline } from '../../approvals/call-words.ts';

/** Whom a call reached, or tried to. */
export function Connections({
  connections,
}: {
  readonly connections: readonly EgressConnection[];
}) {
  return (
    <div>
      <p className="mb-1 text-sm text-soft">Connections</p>
      <ul className="flex flex-col gap-1 text-sm">
        {connections.map((each, place) => (
          // The same place may be reached twice.
          <li key={place} className="flex flex-wrap items-center gap-x-2 wrap-anywhere">
            <code className="text-[0.8125rem]">
              {inline(each.host)}
              {each.port === 0 ? '' : `:${each.port}`}
            </code>
            <Badge tone={each.decision === 'allowed' ? 'good' : 'bad'}>
              {inline(each.decision)}
            </Badge>
            <span className="text-soft">{connectionWords(each)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function connectionWords({ bytesUp, bytesDown, request, reason }: EgressConnection): string {
  const sent = `${byteWords(Number(bytesUp))} up, ${byteWords(Number(bytesDown))} down`;
  return [inline(request), sent, inline(reason)].filter((word) => word !== '').join(' · ');
}
