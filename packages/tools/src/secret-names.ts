/**
 * Names that usually hold secrets, folded as rules fold them. Whoever names one is asked about it; a
 * tool that goes through folders leaves them out below the path it was given, because nobody was.
 */
export const SECRET_NAMES: readonly string[] = [
  '.env',
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
  '.azure',
  '.gcloud',
  '.docker',
  '.dockercfg',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  'id_ecdsa_sk',
  'id_ed25519_sk',
  'credentials',
  'credentials.json',
  'service-account.json',
  'secrets.toml',
  'secrets.yaml',
  'secrets.yml',
  'secrets.json',
];

/** Of names, in lower case. */
export const SECRET_EXTENSIONS: readonly string[] = [
  'pem',
  'key',
  'p12',
  'pfx',
  'kdbx',
  'jks',
  'keystore',
  'ppk',
];

/**
 * The name in the list that stands for a folded one: `.env` for `.env.prod`, as rules see it too. What is
 * there to be copied and filled in holds no secret yet.
 */
export function secretFamily(folded: string): string {
  if (/^\.env\.(?!(?:example|sample|template|dist|defaults)$)/.test(folded)) return '.env';
  return /^service[-_]account.*\.json$/.test(folded) ? 'service-account.json' : folded;
}
