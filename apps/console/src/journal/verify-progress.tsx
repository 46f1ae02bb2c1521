import { Button } from '@palyra/ui';

export interface VerifyProgressProps {
  readonly entries: number;
  /** How many there will be, where that is known. */
  readonly expected: number | undefined;
  readonly onStop: () => void;
}

export function VerifyProgress({ entries, expected, onStop }: VerifyProgressProps) {
  const words =
    expected === undefined
      ? `${entries.toLocaleString('en')} entries verified`
      : `${entries.toLocaleString('en')} of ${expected.toLocaleString('en')} entries verified`;
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <progress
        aria-label="Verified"
        className="h-2 min-w-24 flex-1 accent-accent-fill"
        {...(expected === undefined ? {} : { max: expected, value: Math.min(entries, expected) })}
      />
      <span className="tabular-nums">{words}</span>
      <Button size="small" onClick={onStop}>
        Stop
      </Button>
    </div>
  );
}
