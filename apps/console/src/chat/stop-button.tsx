import { Square } from 'lucide-react';
import { Button } from '@palyra/ui';
import { useCancel } from '../runs/actions/use-cancel.ts';
import { useDoubleEscape } from './use-double-escape.ts';

export function StopButton({ runId }: { readonly runId: string }) {
  const cancel = useCancel();
  const stop = () => {
    if (!cancel.isPending) cancel.mutate(runId);
  };
  const isOnce = useDoubleEscape(stop);
  return (
    <Button size="small" isBusy={cancel.isPending} onClick={stop} title="Escape twice does it, too">
      {cancel.isPending ? null : <Square size={12} aria-hidden="true" />}
      {isOnce ? 'Escape again stops it' : 'Stop'}
    </Button>
  );
}
