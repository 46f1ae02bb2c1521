import { Toast as Radix } from 'radix-ui';
import { classes } from './classes.ts';
import { Words } from './words.tsx';

export interface Note {
  readonly key: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  readonly help: string | undefined;
}

export interface NoticesProps {
  readonly notes: readonly Note[];
  readonly onOver: (key: number) => void;
}

/** What was told lately, in a corner. */
export function Notices({ notes, onOver }: NoticesProps) {
  return (
    <Radix.Provider label="Notice" duration={6_000}>
      {notes.map(({ key, tone, text, help }) => (
        <Radix.Root
          key={key}
          onOpenChange={(isOpen) => (isOpen ? undefined : onOver(key))}
          className={classes(
            'rounded-lg border bg-card px-4 py-3 text-sm shadow-float',
            tone === 'bad' ? 'border-bad/50' : 'border-line',
          )}
        >
          <Radix.Title className={tone === 'bad' ? 'font-medium text-bad' : 'font-medium'}>
            <Words text={text} />
          </Radix.Title>
          {help === undefined ? null : (
            <Radix.Description className="mt-0.5 text-soft">
              <Words text={help} />
            </Radix.Description>
          )}
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed top-1.5 right-4 z-60 flex w-88 max-w-[calc(100vw-2rem)] flex-col gap-2 outline-none md:right-24" />
    </Radix.Provider>
  );
}
