import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hideSecretWords, hideSecretsIn } from './secret-words.ts';

const shown = (...words: readonly string[]) => hideSecretWords(words).join(' ');

describe('a command that is shown', () => {
  it.each([
    ['mysql -u root -phunter2 db', 'mysql -u root -p[redacted] db'],
    ['mysql -p hunter2 db', 'mysql -p [redacted] db'],
    ['/usr/bin/mysqldump -phunter2', '/usr/bin/mysqldump -p[redacted]'],
    ['sudo -n mariadb -phunter2', 'sudo -n mariadb -p[redacted]'],
    ['sshpass -p hunter2 ssh host', 'sshpass -p [redacted] ssh host'],
    ['mongosh -p hunter2', 'mongosh -p [redacted]'],
    ['redis-cli -a hunter2 ping', 'redis-cli -a [redacted] ping'],
    ['ldapsearch -x -w hunter2', 'ldapsearch -x -w [redacted]'],
    ['unzip -Phunter2 a.zip', 'unzip -P[redacted] a.zip'],
    ['docker login -u ann -p hunter2', 'docker login -u ann -p [redacted]'],
    ['curl -u ann:hunter2 host', 'curl -u ann:[redacted] host'],
    ['curl -uann:hunter2 host', 'curl -uann:[redacted] host'],
    ['curl -sSu ann:hunter2 host', 'curl -sSu ann:[redacted] host'],
    ['curl --user ann:hunter2 host', 'curl --user ann:[redacted] host'],
    ['curl --user=ann:hunter2 host', 'curl --user=ann:[redacted] host'],
    ['curl -b session=hunter2 host', 'curl -b [redacted] host'],
    ['any-tool -u ann:hunter2', 'any-tool -u ann:[redacted]'],
    ['any-tool --password=hunter2', 'any-tool --password=[redacted]'],
    ['any-tool --password hunter2', 'any-tool --password [redacted]'],
    ['any-tool --password -hunter2', 'any-tool --password [redacted]'],
    ['any-tool --token hunter2 push', 'any-tool --token [redacted] push'],
    ['any-tool -token hunter2 push', 'any-tool -token [redacted] push'],
    ['any-tool --api-key hunter2', 'any-tool --api-key [redacted]'],
    ['keytool -storepass hunter2', 'keytool -storepass [redacted]'],
    ['openssl enc -pass pass:hunter2', 'openssl enc -pass [redacted]'],
    ['openssl enc -passin pass:hunter2', 'openssl enc -passin pass:[redacted]'],
    ['smbclient -U ann%hunter2', 'smbclient -U ann%[redacted]'],
    ['git clone https://ann:hunter2@host/x', 'git clone https://[redacted]@host/x'],
    ['env PGPASSWORD=hunter2 psql', 'env PGPASSWORD=[redacted] psql'],
    ['PGPASSWORD=hunter2 psql', 'PGPASSWORD=[redacted] psql'],
    ['DB_PASS=hunter2 psql', 'DB_PASS=[redacted] psql'],
    ['ansible-playbook -e x_pass=hunter2 p.yml', 'ansible-playbook -e x_pass=[redacted] p.yml'],
    ['ansible all -e become_pass=hunter2', 'ansible all -e become_pass=[redacted]'],
    [
      'npm config set //registry.example/:_authToken hunter2',
      'npm config set //registry.example/:_authToken [redacted]',
    ],
    ['htpasswd -b file ann hunter2', 'htpasswd -b file ann [redacted]'],
    ['htpasswd -nbB ann hunter2', 'htpasswd -nbB ann [redacted]'],
    ['vault login hunter2', 'vault login [redacted]'],
    ['vault login -no-store hunter2', 'vault login -no-store [redacted]'],
    ['gh secret set X --body hunter2', 'gh secret set X --body [redacted]'],
    ['gh secret set X --body=hunter2', 'gh secret set X --body=[redacted]'],
    ['gh secret set X -b hunter2', 'gh secret set X -b [redacted]'],
    [
      'aws configure set aws_secret_access_key hunter2',
      'aws configure set aws_secret_access_key [redacted]',
    ],
  ])('%s', (line, expected) => {
    expect(shown(...line.split(' '))).toBe(expected);
  });

  it.each([
    ['Authorization: Bearer hunter2hunter2', 'Authorization: [redacted]'],
    ['authorization:hunter2', 'authorization:[redacted]'],
    ['X-Api-Key: hunter2', 'X-Api-Key: [redacted]'],
    ['Cookie: a=hunter2', 'Cookie: [redacted]'],
  ])('has no secret in the header %s', (header, expected) => {
    expect(hideSecretWords(['curl', '-H', header, 'host'])).toEqual([
      'curl',
      '-H',
      expected,
      'host',
    ]);
  });

  it.each([
    ['mysql -phunter2 db', 'mysql -p[redacted] db'],
    ["mysql -p'hunter2 x' db", 'mysql -p[redacted] db'],
    ['cd a && mysql "-phunter2" | cat', 'cd a && mysql -p[redacted] | cat'],
    ['(curl -u ann:hunter2 host)', '(curl -u ann:[redacted] host)'],
    ['sh -c "mysql -phunter2"', 'sh -c mysql -p[redacted]'],
    ['export PW=hunter2; run', 'export PW=[redacted]; run'],
    ['export DB_PASS="hunter2 x"', 'export DB_PASS=[redacted]'],
    ['ansible_ssh_pass=a become_pass=hunter2', 'ansible_ssh_pass=[redacted]'],
    ['vault login hunter2 && ls', 'vault login [redacted] && ls'],
  ])('has none in a command in a word: %s', (script, expected) => {
    const [, , inner = ''] = hideSecretWords(['sh', '-c', script]);
    expect(inner).toContain(expected.slice(0, 5));
    expect(inner).not.toContain('hunter2');
  });

  it.each([
    'git status --short',
    'mkdir -p a/b',
    'ssh -p 2222 host',
    'docker run -p 80:80 -u 1000:1000 image',
    'grep -r password src',
    'git push -u origin main',
    'npm test -- --user ann',
    'ls -la',
    'htpasswd -c file ann',
    'vault read kv/x y',
    'gh pr create --body text',
    'gh issue create -b text',
    'make COMPILER=cc',
    'sh -c "echo a; ls -p"',
  ])('is what it was when there is no secret in it: %s', (line) => {
    expect(shown(...line.split(' '))).toBe(line);
  });

  it('has none in a message of the engine that repeats it, and the message stays', () => {
    const said = 'type mismatch: value was expected to have type string';
    expect(hideSecretsIn(`${said}: \`"mysql -phunter2 db"\``)).toBe(
      `${said}: \`mysql -p[redacted] db\``,
    );
    expect(hideSecretsIn(said)).toBe(said);
    expect(hideSecretsIn("it isn't said")).toBe("it isn't said");
  });

  it('has as many words as there were, whatever they are, in good time', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        expect(hideSecretWords(words)).toHaveLength(words.length);
      }),
    );
    for (const worst of ['"', "'", '\\', '-p', '\'"', '(', 'a ', '--password ']) {
      expect(hideSecretWords(['sh', '-c', worst.repeat(20_000)])).toHaveLength(3);
    }
  });
});
