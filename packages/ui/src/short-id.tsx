import { Copy } from './copy.tsx';

const ENDS = 6;

/** A long id or hash by its two ends; whole on hover and on the clipboard. */
export function ShortId({ id }: { readonly id: string }) {
  const short = id.length <= 2 * ENDS + 2 ? id : `${id.slice(0, ENDS)}…${id.slice(-ENDS)}`;
  return (
    <span className="inline-flex items-center gap-0.5">
      <code title={id} className="text-[0.8125rem]">
        {short}
      </code>
      <Copy text={id} label={`Copy ${id}`} />
    </span>
  );
}
