import { useState } from 'react';
import { Check, Copy as CopyIcon } from 'lucide-react';

const SHOWN_MS = 1_500;

/** A small button that puts a text on the clipboard, as it is. */
export function Copy({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [isDone, setIsDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsDone(true);
    setTimeout(() => setIsDone(false), SHOWN_MS);
  };
  return (
    <button
      type="button"
      aria-label={isDone ? 'Copied' : label}
      title={isDone ? 'Copied' : label}
      onClick={() => void copy()}
      className="inline-flex rounded-md p-1 text-soft hover:bg-raised hover:text-ink"
    >
      {isDone ? <Check size={14} aria-hidden="true" /> : <CopyIcon size={14} aria-hidden="true" />}
    </button>
  );
}
