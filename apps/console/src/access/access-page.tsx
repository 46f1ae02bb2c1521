import { Permission } from '@palyra/protocol';
import { Page, Tabs } from '@palyra/ui';
import { useMay } from '../app/caller.ts';
import { useTab } from '../app/use-tab.ts';
import { Passkeys } from '../passkeys/passkeys.tsx';
import { Me } from './me.tsx';
import { Members } from './members.tsx';
import { Tokens } from './tokens.tsx';

/** Who may do what: me, the others, and programs with tokens. */
export function AccessPage() {
  const mayMembers = useMay(Permission.MEMBERS_MANAGE);
  const mayTokens = useMay(Permission.TOKENS_MANAGE);
  const tabs = [
    { id: 'me', label: 'You', content: <Me /> },
    { id: 'passkeys', label: 'Passkeys', content: <Passkeys /> },
    ...(mayMembers ? [{ id: 'members', label: 'Members', content: <Members /> }] : []),
    ...(mayTokens ? [{ id: 'tokens', label: 'Tokens', content: <Tokens /> }] : []),
  ];
  const tab = useTab(
    '/access',
    tabs.map(({ id }) => id),
  );
  return (
    <Page title="Access" says="People by role, programs by token">
      <Tabs label="Access" tabs={tabs} {...tab} />
    </Page>
  );
}
