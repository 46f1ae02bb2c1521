import { CodeBlock } from '@palyra/ui';
import { Logo } from './logo.tsx';

/** For whoever has no session: only a paired device can open one. */
export function SignIn({ trouble }: { readonly trouble: string | undefined }) {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="flex w-full max-w-md flex-col gap-4 rounded-card border border-line bg-card p-8 shadow-card">
        <Logo />
        <h1 className="text-xl font-semibold tracking-tight">Open the console from a device</h1>
        <p className="text-sm text-soft">
          There is no password. Run this on a machine that is paired with the gateway; it opens this
          page with a link that works once.
        </p>
        <CodeBlock text="palyra console" label="command" />
        {trouble === undefined ? null : (
          <p role="alert" className="rounded-lg bg-bad-tint px-3 py-2 text-sm text-bad">
            {trouble}
          </p>
        )}
      </div>
    </main>
  );
}
