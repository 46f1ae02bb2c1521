import { describe, expect, it } from 'vitest';
import { refuseOwnGround } from './own-ground.ts';

const folders = ['/home/ada/.config/palyra', '/home/ada/.local/state/palyra', '/var/lib/palyra'];

describe('a workspace', () => {
  it.each(['/home/ada/project', '/srv/usr', '/home/ada/.config/other', '/var/lib/project'])(
    'may be %s',
    (workspace) => {
      expect(() => refuseOwnGround({ workspace, folders })).not.toThrow();
    },
  );

  const refused =
    '/ /home /home/ada /home/ada/.config/palyra /home/ada/.config/palyra/policies /var /var/lib /var/lib/palyra/sandbox /usr /usr/local/src /etc /proc/1';
  it.each(refused.split(' '))('may not be %s', (workspace) => {
    expect(() => refuseOwnGround({ workspace, folders })).toThrow(/the workspace `/);
  });
});
