import { ArrowUp } from 'lucide-react';
import { Button } from '@palyra/ui';

export interface NewEntriesProps {
  readonly words: string;
  readonly onShow: () => void;
}

/** New entries do not push away what one reads: they wait behind this. */
export function NewEntries({ words, onShow }: NewEntriesProps) {
  return (
    <div
      role="status"
      className="pointer-events-none absolute inset-x-0 top-2 z-10 flex justify-center"
    >
      <Button
        look="main"
        size="small"
        className="pointer-events-auto rounded-full shadow-float"
        onClick={onShow}
      >
        <ArrowUp size={14} aria-hidden="true" />
        {words}
      </Button>
    </div>
  );
}
