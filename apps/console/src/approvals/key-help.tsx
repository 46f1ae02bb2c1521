import { Dialog, KeyHint } from '@palyra/ui';
import { KEY_WORDS } from './keys.ts';

export interface KeyHelpProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function KeyHelp({ isOpen, onClose }: KeyHelpProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keys">
      <dl className="grid grid-cols-[max-content_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
        {KEY_WORDS.map(([key, says]) => (
          <div key={key} className="contents">
            <dt>
              <span className="sr-only">{key}</span>
              <KeyHint keys={key} />
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
