import { useState } from 'react';
import { useParams } from '@tanstack/react-router';
import { Keyboard } from 'lucide-react';
import { Button, Page, Tabs } from '@palyra/ui';
import { Grants } from './grants.tsx';
import { Inbox } from './inbox.tsx';
import { KeyHelp } from './key-help.tsx';
import { NoticeButton } from './notice-button.tsx';
import { useKeys } from '../app/use-keys.ts';
import { useTab } from '../app/use-tab.ts';

export function ApprovalsPage() {
  const { approvalId } = useParams({ strict: false });
  const tab = useTab('/approvals', ['inbox', 'grants']);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const showKeys = () => setIsHelpOpen(true);
  useKeys(({ key }) => (key === '?' ? showKeys() : undefined));
  const tabs = [
    { id: 'inbox', label: 'Inbox', content: <Inbox approvalId={approvalId} /> },
    { id: 'grants', label: 'Grants', content: <Grants /> },
  ];
  return (
    <Page
      title="Approvals"
      actions={
        <>
          <NoticeButton />
          <Button look="quiet" size="small" onClick={showKeys}>
            <Keyboard size={15} aria-hidden="true" /> Keys
          </Button>
        </>
      }
    >
      <Tabs label="Approvals" tabs={tabs} {...tab} />
      <KeyHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </Page>
  );
}
