import { type ComponentProps, type ReactNode, useId } from 'react';
import { classes } from './classes.ts';

const BOX =
  'w-full rounded-lg border border-strong-line/60 bg-card px-3 text-sm text-ink placeholder:text-soft hover:border-strong-line';

export interface FieldProps {
  readonly label: string;
  readonly says?: ReactNode;
  readonly children: (id: string) => ReactNode;
}

/** A control with its name above it. */
export function Field({ label, says, children }: FieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children(id)}
      {says === undefined ? null : <p className="text-xs text-soft">{says}</p>}
    </div>
  );
}

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={classes(BOX, 'h-9', className)} />;
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...rest} className={classes(BOX, 'py-2', className)} />;
}

/** The browser's own: it works with every keyboard and every screen reader. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={classes(BOX, 'h-9 pr-8', className)} />;
}
