import { type ApprovalRecord, ApprovalStatus } from '@palyra/protocol';
import { When, classes } from '@palyra/ui';
import { roleWord } from '../wire/role-words.ts';
import { inline } from './call-words.ts';
import { type Standing, vouchedWords, yesWords } from './standing.ts';
import { usePeople } from '../app/use-people.ts';

export interface VoiceListProps {
  readonly approval: ApprovalRecord;
  readonly standing: Standing;
}

/** Who has said what. */
export function VoiceList({ approval, standing }: VoiceListProps) {
  const nameOf = usePeople();
  const { voices } = approval;
  return (
    <>
      {standing.wanted > 1 ? <p className="text-sm font-medium">{yesWords(standing)}</p> : null}
      {voices.length === 0 ? <p className="text-sm text-soft">Nobody has answered.</p> : null}
      <ul className="flex flex-col gap-1.5 text-sm">
        {voices.map((voice) => {
          const { principal, role, strength, channel, at, answer, reason } = voice;
          const isYes = answer === ApprovalStatus.GRANTED;
          return (
            <li key={`${principal} ${at}`} className="wrap-anywhere">
              <span className={classes('font-medium', isYes ? 'text-good' : 'text-bad')}>
                {isYes ? 'Yes' : 'No'}
              </span>{' '}
              by {nameOf(principal)}, {roleWord(role)}, through {inline(channel)}
              {vouchedWords(voice, nameOf)}
              {strength === 'passkey' ? ' with a passkey' : ''}, <When at={at} />
              {reason === '' ? null : <>: “{inline(reason)}”</>}
            </li>
          );
        })}
      </ul>
    </>
  );
}
