import { useState } from 'react';
import { KeyRound } from 'lucide-react';
import { systemClock, visibleText } from '@palyra/kernel';
import type { Token } from '@palyra/protocol';
import { Badge, Button, Card, Cell, Confirm, Empty, ShortId, Table, When } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { useAsk } from '../wire/use-ask.ts';
import { CreateToken } from './create-token.tsx';
import { PermissionList } from './permission-list.tsx';
import { RotateToken } from './rotate-token.tsx';

const COLUMNS = ['Token', 'May', 'Ends', 'Last used', 'State', ''];

export function Tokens() {
  const tokens = useAsk(['access', 'tokens'], (signal) =>
    gateway.tokens.listTokens({}, { signal }),
  );
  return (
    <Card title="Tokens" aside={<CreateToken />} padding="none">
      <Answer of={tokens} lines={4}>
        {({ tokens: all }) =>
          all.length === 0 ? (
            <Empty icon={<KeyRound size={20} />} title="There is no token">
              Programs that cannot be paired come in with one. It can do only what it is made for.
            </Empty>
          ) : (
            <Table label="Tokens" columns={COLUMNS}>
              {all.map((token) => (
                <TokenRow key={token.tokenId} token={token} />
              ))}
            </Table>
          )
        }
      </Answer>
    </Card>
  );
}

function TokenRow({ token }: { readonly token: Token }) {
  const state = stateOf(token);
  return (
    <tr>
      <Cell>
        <span className="font-medium">{visibleText(token.label, 'one-line')}</span>
        <span className="block">
          <ShortId id={token.tokenId} />
        </span>
      </Cell>
      <Cell>
        <span className="block max-w-72">
          <PermissionList permissions={token.scopes} />
        </span>
      </Cell>
      <Cell>
        <When at={token.expiresAt} />
      </Cell>
      <Cell>
        <When at={token.lastUsedAt} />
      </Cell>
      <Cell>
        <Badge tone={state === 'active' ? 'good' : 'plain'}>{state}</Badge>
      </Cell>
      <Cell>
        {state === 'active' ? (
          <span className="flex gap-1">
            <RotateToken token={token} />
            <RevokeToken token={token} />
          </span>
        ) : null}
      </Cell>
    </tr>
  );
}

function stateOf({ revokedAt, expiresAt }: Token): 'active' | 'ended' | 'revoked' {
  if (revokedAt !== '') return 'revoked';
  return expiresAt !== '' && Date.parse(expiresAt) <= systemClock().now().getTime()
    ? 'ended'
    : 'active';
}

function RevokeToken({ token }: { readonly token: Token }) {
  const [isAsking, setIsAsking] = useState(false);
  const label = visibleText(token.label, 'one-line');
  const revoking = useAct({
    act: () => gateway.tokens.revokeToken({ token: token.tokenId }),
    changes: ['access'],
    says: () => `${label} counts no more`,
    after: () => setIsAsking(false),
  });
  return (
    <>
      <Button size="small" look="quiet" onClick={() => setIsAsking(true)}>
        Revoke
      </Button>
      <Confirm
        isOpen={isAsking}
        title={`Revoke ${label}?`}
        action="Revoke"
        isBusy={revoking.isPending}
        onConfirm={() => revoking.mutate()}
        onClose={() => setIsAsking(false)}
      >
        Whatever uses it is out within a second. This cannot be taken back.
      </Confirm>
    </>
  );
}
