import { useState } from 'react';
import { Badge, Button, Words } from '@palyra/ui';
import { inline } from '../../approvals/call-words.ts';
import type { CallStory } from '../story/call.ts';
import { postureOf } from '../story/words.ts';
import { AttestationView } from './attestation-view.tsx';
import { Stage } from './stage.tsx';

export function AttestationStage({ call: { attestation, callId } }: { readonly call: CallStory }) {
  const [isOpen, setIsOpen] = useState(false);
  if (attestation === undefined) {
    return <Stage name="Attestation" tone="plain" says="not signed yet" />;
  }
  const posture = postureOf(attestation);
  return (
    <Stage
      name="Attestation"
      tone="good"
      says={`signed with key ${inline(attestation.keyId).slice(0, 12)}`}
    >
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={posture.tone}>{posture.words}</Badge>
        <span className="wrap-anywhere text-soft">
          <Words text={inline(attestation.sandboxEnforcement)} />
        </span>
      </p>
      {isOpen ? (
        <AttestationView callId={callId} />
      ) : (
        <span>
          <Button look="quiet" size="small" className="-ml-2.5" onClick={() => setIsOpen(true)}>
            Show the signed record
          </Button>
        </span>
      )}
    </Stage>
  );
}
