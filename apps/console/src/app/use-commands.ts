import type { useNavigate } from '@tanstack/react-router';
import { leave } from '../session/leave.ts';
import { wearTheme } from './theme.ts';
import { usePlaces } from './use-places.ts';

type Navigate = ReturnType<typeof useNavigate>;

export interface Command {
  readonly name: string;
  readonly keys?: string;
  readonly act: (navigate: Navigate) => Promise<void>;
}

/** Run, session, approval, entry: all are ULIDs, which only their own page can tell apart. */
const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** What a text in the palette may mean. */
export function useCommands(text: string): readonly Command[] {
  const places = usePlaces();
  const wanted = text.trim().toLowerCase();
  const id = text.trim().toUpperCase();
  if (ID.test(id)) return commandsOfId(id);
  const going = places.map(({ path, name, key }) => ({
    name,
    keys: `g ${key}`,
    act: (navigate: Navigate) => navigate({ to: path }),
  }));
  return [...going, ...DEEDS].filter(({ name }) => name.toLowerCase().includes(wanted));
}

const DEEDS: readonly Command[] = [
  { name: 'Start a new chat', act: (navigate) => navigate({ to: '/chat' }) },
  ...(['light', 'dark', 'system'] as const).map((theme) => ({
    name: `Theme: ${theme}`,
    async act() {
      wearTheme(theme);
    },
  })),
  {
    name: 'End this session',
    async act() {
      await leave();
      location.reload();
    },
  },
];

function commandsOfId(id: string): readonly Command[] {
  return [
    {
      name: `Run ${id}`,
      act: (navigate) => navigate({ to: '/runs/$runId', params: { runId: id } }),
    },
    {
      name: `Session ${id}`,
      act: (navigate) => navigate({ to: '/chat/$sessionId', params: { sessionId: id } }),
    },
    {
      name: `Approval ${id}`,
      act: (navigate) => navigate({ to: '/approvals/$approvalId', params: { approvalId: id } }),
    },
    {
      name: `Journal entry ${id}`,
      act: (navigate) => navigate({ to: '/journal/$entryId', params: { entryId: id } }),
    },
  ];
}
