import { Confirm } from '@palyra/ui';
import { leave } from '../session/leave.ts';
import { useAct } from '../wire/use-act.ts';

export interface LeaveQuestionProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function LeaveQuestion({ isOpen, onClose }: LeaveQuestionProps) {
  const leaving = useAct({ act: leave, changes: [], after: () => location.reload() });
  return (
    <Confirm
      isOpen={isOpen}
      title="End this session?"
      action="End it"
      look="main"
      isBusy={leaving.isPending}
      onConfirm={() => leaving.mutate()}
      onClose={onClose}
    >
      Runs go on without it. <code>palyra console</code> opens another one.
    </Confirm>
  );
}
