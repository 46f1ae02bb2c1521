import { type KeyboardEvent, useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { Dialog } from '@palyra/ui';
import { PaletteList } from './palette-list.tsx';
import { type Command, useCommands } from './use-commands.ts';

export interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Everything that can be gone to or done, by typing a part of its name. */
export function Palette({ isOpen, onClose }: PaletteProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Go to or do">
      <Choice onClose={onClose} />
    </Dialog>
  );
}

function Choice({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const found = useCommands(text);
  const choose = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    void command.act(navigate);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + found.length) % Math.max(1, found.length));
    }
    if (event.key === 'Enter') choose(found[at]);
  };
  return (
    <div className="flex flex-col gap-3">
      <input
        role="combobox"
        aria-label="What"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[at] === undefined ? undefined : `palette-${at}`}
        autoFocus
        value={text}
        placeholder="Approvals, journal, an id…"
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
        className="h-10 w-full rounded-lg border border-strong-line/60 bg-card px-3"
      />
      <PaletteList found={found} at={at} onPoint={setAt} onChoose={choose} />
    </div>
  );
}
