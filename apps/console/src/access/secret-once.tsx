import { Button, CodeBlock, Dialog } from '@palyra/ui';

export interface SecretOnceProps {
  readonly secret: string | undefined;
  readonly onClose: () => void;
}

/** The only time that it is shown: the gateway keeps no more than its hash. */
export function SecretOnce({ secret, onClose }: SecretOnceProps) {
  return (
    <Dialog
      isOpen={secret !== undefined}
      onClose={onClose}
      title="The token"
      says="It is shown now and never again. Whoever has it can do what it may."
    >
      <CodeBlock text={secret ?? ''} label="token" />
      <div className="mt-4 flex justify-end">
        <Button look="main" onClick={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
}
