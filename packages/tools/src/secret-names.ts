/**
 * Names that usually hold secrets, folded as rules fold them. Whoever names one is asked about it; a
 * tool that goes through folders leaves them out below the path it was given, because nobody was.
 */
export const SECRET_NAMES: readonly string[] = [
  '.env',
  '.env.local',
  '.env.development',
  '.env.staging',
  '.env.test',
  '.env.production',
  '.envrc',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.htpasswd',
  '.vault-token',
  '.git-credentials',
  '.ssh',
  '.gnupg',
  '.aws',
  '.kube',
  '.docker',
  '.dockercfg',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  'credentials',
  'secrets.toml',
  'secrets.yaml',
  'secrets.yml',
  'secrets.json',
];

/** Of names, in lower case. */
export const SECRET_EXTENSIONS: readonly string[] = ['pem', 'key', 'p12', 'pfx', 'kdbx', 'jks'];
