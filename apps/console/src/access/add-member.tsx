import { useState } from 'react';
import { type Member, Role } from '@palyra/protocol';
import { Button, Dialog, Field, Input, Select } from '@palyra/ui';
import { useCaller } from '../app/caller.ts';
import { confirmRequest } from '../passkeys/confirm-request.ts';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { ROLES, parseRole, roleWord } from '../wire/role-words.ts';

export function AddMember() {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Add a member
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Add a member">
        <MemberForm onAdded={close} />
      </Dialog>
    </>
  );
}

function MemberForm({ onAdded }: { readonly onAdded: () => void }) {
  const { role: mine } = useCaller();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>(Role.OPERATOR);
  const adding = useAct({
    act: () => addMember({ name, role }),
    changes: ['access'],
    says: ({ member }) => `${member?.name ?? name} is a member now; pair a device for them next`,
    after: onAdded,
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate();
      }}
    >
      <Field label="Name">
        {(id) => (
          <Input
            id={id}
            value={name}
            required
            autoFocus
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field
        label="Role"
        says="Operators use agents and answer; admins also change who may; owners all."
      >
        {(id) => (
          <Select
            id={id}
            value={roleWord(role)}
            onChange={({ target }) => setRole(parseRole(target.value))}
          >
            {ROLES.filter((each) => each <= mine).map((each) => (
              <option key={each}>{roleWord(each)}</option>
            ))}
          </Select>
        )}
      </Field>
      <Button type="submit" look="main" isBusy={adding.isPending} className="self-end">
        Add
      </Button>
    </form>
  );
}

async function addMember(added: Pick<Member, 'name' | 'role'>) {
  const assertion = await confirmRequest({ case: 'member', value: added });
  return await gateway.members.addMember({ ...added, assertion });
}
