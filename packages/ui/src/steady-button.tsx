import { useEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { useSteady } from './use-steady.ts';

const SHOWN_MS = 2_500;

/**
 * A button for what must not be done by accident: it does nothing before it has been in sight, at its
 * place, for as long as it takes to see it. Contract: a form that it submits has no other way to be sent.
 */
export function SteadyButton({ onClick, ...rest }: Omit<ButtonProps, 'ref' | 'onPointerDown'>) {
  const place = useRef<HTMLButtonElement>(null);
  const { isSteady, press, counts } = useSteady(place);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals === 0) return undefined;
    const timer = setTimeout(() => setRefusals(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [refusals]);
  return (
    <span className="relative inline-flex">
      <Button
        {...rest}
        ref={place}
        aria-disabled={!isSteady || undefined}
        onPointerDown={({ timeStamp }) => press(timeStamp)}
        onClick={(event) => {
          if (counts(event.timeStamp)) {
            onClick?.(event);
          } else {
            event.preventDefault();
            setRefusals(refusals + 1);
          }
        }}
      />
      <span role="status" className="pointer-events-none absolute bottom-full left-0 z-20 mb-1.5">
        {refusals === 0 ? null : (
          <span className="block rounded-md border border-line bg-raised px-2 py-1 text-xs whitespace-nowrap text-ink shadow-card">
            Too soon to count. Press again.
          </span>
        )}
      </span>
    </span>
  );
}
