import { Answer, type AnswerProps } from '../wire/answer.tsx';

/**
 * As tall with nothing in it as with three rows and a word of the others, and while it is waited for: what
 * is below stays where it is.
 */
export function Steady<Data>(props: Omit<AnswerProps<Data>, 'lines'>) {
  return (
    <div className="flex min-h-44 flex-col">
      <Answer {...props} lines={4} />
    </div>
  );
}

/** How many are not shown; nothing where all are. */
export function Others({ count }: { readonly count: number }) {
  if (count <= 0) return null;
  return <p className="border-t border-line px-4 py-2 text-sm text-soft">and {count} more</p>;
}
