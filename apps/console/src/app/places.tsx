import type { ReactNode } from 'react';
import {
  Activity,
  BookOpenCheck,
  Box,
  Inbox,
  KeyRound,
  LayoutDashboard,
  MessagesSquare,
  ScrollText,
  Settings2,
  Smartphone,
  Stethoscope,
} from 'lucide-react';
import { Permission } from '@palyra/protocol';

export interface Place {
  readonly path: string;
  readonly name: string;
  readonly icon: ReactNode;
  /** `g` and this key lead there. */
  readonly key: string;
  /** Who has not this is not led there. */
  readonly needs: Permission | undefined;
}

const ICON = { size: 17, 'aria-hidden': true, className: 'shrink-0' } as const;

/** Where one can go, in the order of the menu. */
export const PLACES: readonly Place[] = [
  { path: '/', name: 'Home', icon: <LayoutDashboard {...ICON} />, key: 'h', needs: undefined },
  {
    path: '/chat',
    name: 'Chat',
    icon: <MessagesSquare {...ICON} />,
    key: 'c',
    needs: Permission.SESSIONS_USE,
  },
  {
    path: '/runs',
    name: 'Runs',
    icon: <Activity {...ICON} />,
    key: 'r',
    needs: Permission.SESSIONS_USE,
  },
  {
    path: '/approvals',
    name: 'Approvals',
    icon: <Inbox {...ICON} />,
    key: 'a',
    needs: Permission.APPROVALS_ANSWER,
  },
  {
    path: '/policy',
    name: 'Policy',
    icon: <BookOpenCheck {...ICON} />,
    key: 'p',
    needs: Permission.OBSERVABILITY_READ,
  },
  {
    path: '/journal',
    name: 'Journal',
    icon: <ScrollText {...ICON} />,
    key: 'j',
    needs: Permission.OBSERVABILITY_READ,
  },
  {
    path: '/sandbox',
    name: 'Sandbox',
    icon: <Box {...ICON} />,
    key: 's',
    needs: Permission.OBSERVABILITY_READ,
  },
  {
    path: '/devices',
    name: 'Devices',
    icon: <Smartphone {...ICON} />,
    key: 'd',
    needs: Permission.DEVICES_MANAGE,
  },
  { path: '/access', name: 'Access', icon: <KeyRound {...ICON} />, key: 'm', needs: undefined },
  {
    path: '/settings',
    name: 'Settings',
    icon: <Settings2 {...ICON} />,
    key: 'e',
    needs: Permission.OBSERVABILITY_READ,
  },
  {
    path: '/doctor',
    name: 'Doctor',
    icon: <Stethoscope {...ICON} />,
    key: 'o',
    needs: Permission.OBSERVABILITY_READ,
  },
];
