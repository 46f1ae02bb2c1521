import { useState } from 'react';
import { useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { Keyboard } from 'lucide-react';
import { Button, Page, Tabs } from '@palyra/ui';
import { Grants } from './grants.tsx';
import { Inbox } from './inbox.tsx';
import { KeyHelp } from './key-help.tsx';
import { NoticeButton } from './notice-button.tsx';
import { useKeys } from '../app/use-keys.ts';

export function ApprovalsPage() {
  const { approvalId } = useParams({ strict: false });
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const navigate = useNavigate();
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
      <Tabs
        label="Approvals"
        tabs={tabs}
        chosen={hash === 'grants' ? 'grants' : 'inbox'}
        onChoose={(id) => void navigate({ to: '/approvals', hash: id === 'grants' ? id : '' })}
      />
      <KeyHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </Page>
  );
}
