import { Clock, X } from 'lucide-react';
import { visibleText } from '@palyra/kernel';
import type { Run } from '@palyra/protocol';
import { Badge, Button } from '@palyra/ui';
import { useCancel } from './actions/use-cancel.ts';

/** Asked for already; it begins when the run before it has ended. */
export function QueuedPrompt({ run: { runId, prompt } }: { readonly run: Run }) {
  const cancel = useCancel();
  return (
    <div className="flex flex-col items-end gap-1.5 pt-4">
      <p className="max-w-[90%] min-w-0 rounded-card rounded-br-sm border border-dashed border-strong-line/60 px-4 py-2.5 leading-relaxed wrap-anywhere whitespace-pre-wrap text-soft">
        {visibleText(prompt)}
      </p>
      <span className="flex items-center gap-2">
        <Badge>
          <Clock size={12} aria-hidden="true" />
          waits for the run before it
        </Badge>
        <Button
          look="quiet"
          size="small"
          isBusy={cancel.isPending}
          onClick={() => cancel.mutate(runId)}
        >
          <X size={14} aria-hidden="true" />
          Take back
        </Button>
      </span>
    </div>
  );
}
