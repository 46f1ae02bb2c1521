import { visibleText } from '@palyra/kernel';
import { UndoOutcome, type UndoneFile } from '@palyra/protocol';
import { Badge, Button, Dialog, type Tone } from '@palyra/ui';
import { gateway } from '../../wire/gateway.ts';
import { useAct } from '../../wire/use-act.ts';
import { useReadAgain } from '../feed/read-again.ts';
import { undoneWords } from './undone-words.ts';

export interface UndoDialogProps {
  readonly runId: string;
  /** Empty: everything that the run changed. */
  readonly callId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks first, then tells of each file what became of it. */
export function UndoDialog({ runId, callId, isOpen, onClose }: UndoDialogProps) {
  const readAgain = useReadAgain();
  const undo = useAct({
    act: () => gateway.runs.undoRun({ runId, callId }),
    changes: ['runs'],
    after: () => readAgain(runId),
  });
  const close = () => {
    undo.reset();
    onClose();
  };
  const what = callId === '' ? 'this run' : 'this call';
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title="Undo changes"
      says={`Every file that ${what} changed is given back as it was before. If one cannot be, none is touched.`}
    >
      {undo.data === undefined ? null : <Outcomes files={undo.data.files} />}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={close}>{undo.isSuccess ? 'Close' : 'Leave it'}</Button>
        {undo.isSuccess ? null : (
          <Button look="danger" isBusy={undo.isPending} onClick={() => undo.mutate()}>
            Undo
          </Button>
        )}
      </div>
    </Dialog>
  );
}

const TONES: Readonly<Partial<Record<UndoOutcome, Tone>>> = {
  [UndoOutcome.RESTORED]: 'good',
  [UndoOutcome.UNCHANGED]: 'plain',
  [UndoOutcome.HELD_BACK]: 'wait',
};

function Outcomes({ files }: { readonly files: readonly UndoneFile[] }) {
  if (files.length === 0) {
    return (
      <p className="text-sm">
        No file was kept, so there is nothing to undo. What a program changed by itself is not kept.
      </p>
    );
  }
  return (
    <ul aria-label="What became of the files" className="flex flex-col gap-2 text-sm">
      {files.map((file) => (
        <li key={file.path} className="wrap-anywhere">
          <code className="text-[0.8125rem]">{visibleText(file.path, 'one-line')}</code>{' '}
          <Badge tone={TONES[file.outcome] ?? 'bad'}>{undoneWords(file)}</Badge>
          {file.error === undefined ? null : (
            <p className="text-soft">
              {visibleText(`${file.error.message}. ${file.error.help}`, 'one-line')}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
