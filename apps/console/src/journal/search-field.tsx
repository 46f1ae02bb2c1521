import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Input } from '@palyra/ui';
import { useKeys } from '../app/use-keys.ts';

export interface SearchFieldProps {
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

/** After the last letter. */
const PATIENCE_MS = 350;

/** Searches when somebody stops writing, or at once with Enter. `/` leads here. */
export function SearchField({ text, onSearch }: SearchFieldProps) {
  const box = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(text);
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    if (draft.trim() !== text) setDraft(text);
  }
  const search = useEffectEvent(() => onSearch(draft));
  useEffect(() => {
    if (draft.trim() === text) return undefined;
    const timer = setTimeout(search, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [draft, text]);
  useKeys((event) => {
    if (event.key !== '/') return;
    event.preventDefault();
    box.current?.focus();
  });
  return (
    <form
      className="min-w-48 flex-1"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(draft);
      }}
    >
      <Input
        ref={box}
        type="search"
        aria-label="Search for text"
        placeholder="Search for text ( / )"
        maxLength={200}
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
      />
    </form>
  );
}
