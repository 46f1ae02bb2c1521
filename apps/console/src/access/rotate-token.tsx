import { useState } from 'react';
import { visibleText } from '@palyra/kernel';
import type { Token } from '@palyra/protocol';
import { Button, Confirm } from '@palyra/ui';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { SecretOnce } from './secret-once.tsx';

export function RotateToken({ token }: { readonly token: Token }) {
  const [isAsking, setIsAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const rotating = useAct({
    act: () => gateway.tokens.rotateToken({ token: token.tokenId }),
    changes: ['access'],
    after(made) {
      setIsAsking(false);
      setSecret(made.secret);
    },
  });
  return (
    <>
      <Button size="small" look="quiet" onClick={() => setIsAsking(true)}>
        Rotate
      </Button>
      <Confirm
        isOpen={isAsking}
        title={`Rotate ${visibleText(token.label, 'one-line')}?`}
        action="Rotate"
        look="main"
        isBusy={rotating.isPending}
        onConfirm={() => rotating.mutate()}
        onClose={() => setIsAsking(false)}
      >
        It gets a new secret; the old one counts no more.
      </Confirm>
      <SecretOnce secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}
