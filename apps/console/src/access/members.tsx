import { useState } from 'react';
import type { ChangeRoleRequest, Member, Role } from '@palyra/protocol';
import { Button, Card, Cell, Confirm, Select, Table, When } from '@palyra/ui';
import { useCaller } from '../app/caller.ts';
import { confirmRequest } from '../passkeys/confirm-request.ts';
import { Answer } from '../wire/answer.tsx';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { useAsk } from '../wire/use-ask.ts';
import { AddMember } from './add-member.tsx';
import { ROLES, parseRole, roleWord } from '../wire/role-words.ts';

export function Members() {
  const members = useAsk(['access', 'members'], (signal) =>
    gateway.members.listMembers({}, { signal }),
  );
  return (
    <Card title="Members" aside={<AddMember />} padding="none">
      <Answer of={members} lines={4}>
        {({ members: all }) => (
          <Table label="Members" columns={['Name', 'Role', 'Added', '']}>
            {all.map((member) => (
              <MemberRow key={member.userId} member={member} />
            ))}
          </Table>
        )}
      </Answer>
    </Card>
  );
}

function MemberRow({ member }: { readonly member: Member }) {
  const { principal, role: mine } = useCaller();
  const isMe = principal === `user:${member.userId}`;
  const changing = useAct({
    act: (role: Role) => changeRole({ member: member.userId, role }),
    changes: ['access', 'caller'],
    says: ({ member: changed }) =>
      `${member.name} is ${roleWord(changed?.role ?? member.role)} now`,
  });
  return (
    <tr>
      <Cell>
        <span className="font-medium">{member.name}</span>
        {isMe ? <span className="text-soft"> · you</span> : null}
      </Cell>
      <Cell>
        <Select
          aria-label={`Role of ${member.name}`}
          value={roleWord(member.role)}
          disabled={isMe || changing.isPending || member.role > mine}
          onChange={({ target }) => changing.mutate(parseRole(target.value))}
          className="max-w-36"
        >
          {ROLES.filter((role) => role <= mine || role === member.role).map((role) => (
            <option key={role}>{roleWord(role)}</option>
          ))}
        </Select>
      </Cell>
      <Cell>
        <When at={member.addedAt} />
      </Cell>
      <Cell>{isMe || member.role > mine ? null : <RemoveMember member={member} />}</Cell>
    </tr>
  );
}

async function changeRole(change: Pick<ChangeRoleRequest, 'member' | 'role'>) {
  const assertion = await confirmRequest({ case: 'role', value: change });
  return await gateway.members.changeRole({ ...change, assertion });
}

function RemoveMember({ member }: { readonly member: Member }) {
  const [isAsking, setIsAsking] = useState(false);
  const removing = useAct({
    act: () => gateway.members.removeMember({ member: member.userId }),
    changes: ['access', 'devices'],
    says: () => `${member.name} is no member any more`,
    after: () => setIsAsking(false),
  });
  return (
    <>
      <Button size="small" look="quiet" onClick={() => setIsAsking(true)}>
        Remove
      </Button>
      <Confirm
        isOpen={isAsking}
        title={`Remove ${member.name}?`}
        action="Remove"
        isBusy={removing.isPending}
        onConfirm={() => removing.mutate()}
        onClose={() => setIsAsking(false)}
      >
        Their devices, tokens and sessions end with it.
      </Confirm>
    </>
  );
}
