import { useState } from 'react';
import { KeyRound } from 'lucide-react';
import { visibleText } from '@palyra/kernel';
import type { Passkey } from '@palyra/protocol';
import { Badge, Button, Card, Empty, When } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { RemovePasskey } from './remove-passkey.tsx';
import { RenamePasskey } from './rename-passkey.tsx';
import { usePasskeys } from './use-passkeys.ts';

/** The passkeys of whoever is signed in: for rules that want more than a session. */
export function Passkeys() {
  const passkeys = usePasskeys();
  return (
    <Card title="Your passkeys" aside={<AddPasskey size="small" />} padding="none">
      <Answer of={passkeys}>
        {({ passkeys: known }) =>
          known.length === 0 ? (
            <Empty icon={<KeyRound size={20} />} title="No passkey yet">
              A rule can want a yes confirmed with a passkey: a key of this device, a phone or a
              stick that asks for your finger, face or PIN.
            </Empty>
          ) : (
            <ul className="divide-y divide-line">
              {known.map((passkey) => (
                <PasskeyRow key={passkey.passkeyId} passkey={passkey} />
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  );
}

function PasskeyRow({ passkey }: { readonly passkey: Passkey }) {
  const [doing, setDoing] = useState<'nothing' | 'rename' | 'remove'>('nothing');
  const { name, createdAt, lastUsedAt, isSynced, transports } = passkey;
  const done = () => setDoing('nothing');
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <KeyRound size={17} aria-hidden="true" className="shrink-0 text-soft" />
      <div className="min-w-0 grow basis-48">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {visibleText(name, 'one-line')}
          {isSynced ? <Badge title="It may be on several devices of yours">synced</Badge> : null}
        </p>
        <p className="text-xs text-soft">
          Added <When at={createdAt} /> · last used <When at={lastUsedAt} />
          {transports.length === 0 ? null : ` · ${transports.map(oneLine).join(', ')}`}
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="small" onClick={() => setDoing('rename')}>
          Rename<span className="sr-only"> {oneLine(name)}</span>
        </Button>
        <Button size="small" look="quiet" onClick={() => setDoing('remove')}>
          Remove<span className="sr-only"> {oneLine(name)}</span>
        </Button>
      </div>
      {doing === 'rename' ? <RenamePasskey passkey={passkey} onClose={done} /> : null}
      {doing === 'remove' ? <RemovePasskey passkey={passkey} onClose={done} /> : null}
    </li>
  );
}

function oneLine(text: string): string {
  return visibleText(text, 'one-line');
}
