import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly children: ReactNode;
  /** What the button says that does it. */
  readonly action: string;
  readonly look?: 'main' | 'danger';
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function Confirm(props: ConfirmProps) {
  const { isOpen, title, children, action, look = 'danger', isBusy = false } = props;
  return (
    <Dialog isOpen={isOpen} onClose={props.onClose} title={title}>
      <div className="text-sm">{children}</div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={props.onClose}>Not now</Button>
        <Button look={look} isBusy={isBusy} onClick={props.onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
