import { Diff } from '@palyra/ui';

/** The files line by line: what is read before anything of it counts. */
export function ChangedLines({ diff }: { readonly diff: string }) {
  return (
    <section className="flex min-w-0 flex-col gap-3 text-sm">
      <h3 className="font-medium">What is written</h3>
      {diff === '' ? <p className="text-soft">Every line is as in force.</p> : <Diff text={diff} />}
    </section>
  );
}
