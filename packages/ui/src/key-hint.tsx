/** The key that does the same. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <kbd
      aria-hidden="true"
      className="rounded border border-line bg-raised px-1.5 py-px text-[0.6875rem] text-soft"
    >
      {keys}
    </kbd>
  );
}
