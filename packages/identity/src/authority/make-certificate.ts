import { createHash, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import type { Bytes } from '@palyra/kernel';
import type { Issuer, Leaf, Period } from './certificate.ts';

/** RFC 5758, 3.2, and RFC 5280, A.1. */
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const SERIAL_BYTES = 16;
const USAGES = { clientAuth: id_kp_clientAuth, serverAuth: id_kp_serverAuth } as const;

export interface AuthorityDraft {
  readonly commonName: string;
  readonly publicKeySpki: Bytes;
  /** DER of its nameConstraints. */
  readonly constraints: Bytes;
  readonly period: Period;
}

/** Signed with its own key. It can sign for TLS only, below its names only, and no authority. */
export function makeAuthorityCertificate(draft: AuthorityDraft, key: KeyObject): X509Certificate {
  const { publicKeySpki, period } = draft;
  const name = nameOf(draft.commonName);
  const keyInfo = AsnConvert.parse(publicKeySpki, SubjectPublicKeyInfo);
  const content = contentOf({ subject: name, issuer: name, keyInfo, period }, [
    critical(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 })),
    critical(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign)),
    plain(id_ce_extKeyUsage, new ExtendedKeyUsage([USAGES.serverAuth, USAGES.clientAuth])),
    critical(id_ce_nameConstraints, draft.constraints),
    plain(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(keyInfo))),
  ]);
  return signed(content, key);
}

/** It can sign nothing and is for one use. */
export function makeLeafCertificate(leaf: Leaf, issuer: Issuer): X509Certificate {
  const authority = AsnConvert.parse(issuer.certificate.raw, Certificate).tbsCertificate;
  const keyInfo = AsnConvert.parse(leaf.publicKeySpki, SubjectPublicKeyInfo);
  const issuerKey = new KeyIdentifier(keyIdentifier(authority.subjectPublicKeyInfo));
  const subject = nameOf(leaf.commonName);
  const who = { subject, issuer: authority.subject, keyInfo, period: leaf.period };
  const content = contentOf(who, [
    critical(id_ce_basicConstraints, new BasicConstraints({ cA: false })),
    critical(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature)),
    critical(id_ce_extKeyUsage, new ExtendedKeyUsage([USAGES[leaf.usage]])),
    plain(id_ce_subjectAltName, leaf.names),
    plain(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: issuerKey })),
  ]);
  return signed(content, issuer.key);
}

interface Who {
  readonly subject: Name;
  readonly issuer: Name;
  readonly keyInfo: SubjectPublicKeyInfo;
  readonly period: Period;
}

function contentOf(who: Who, extensions: Extension[]): TBSCertificate {
  return new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature: signatureAlgorithm(),
    issuer: who.issuer,
    validity: new Validity(who.period),
    subject: who.subject,
    subjectPublicKeyInfo: who.keyInfo,
    extensions: new Extensions(extensions),
  });
}

/** Read again by OpenSSL: what it does not take for a certificate is none. */
function signed(content: TBSCertificate, key: KeyObject): X509Certificate {
  const signature = sign('sha256', new Uint8Array(AsnConvert.serialize(content)), key);
  const certificate = new Certificate({
    tbsCertificate: content,
    signatureAlgorithm: signatureAlgorithm(),
    signatureValue: Uint8Array.from(signature).buffer,
  });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate)));
}

function signatureAlgorithm(): AlgorithmIdentifier {
  return new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
}

/** The shortest form of a positive number: no zeros before it, save one where it would be negative. */
function serialNumber(): ArrayBuffer {
  const random = randomBytes(SERIAL_BYTES);
  const digits = random.subarray(random.findIndex((byte) => byte !== 0));
  const isNegative = digits.readUInt8() >= 0x80;
  return Uint8Array.from(isNegative ? [0, ...digits] : digits).buffer;
}

/** Contract: letters, digits and spaces, which every reader compares alike. */
function nameOf(commonName: string): Name {
  const value = new AttributeValue({ printableString: commonName });
  const attribute = new AttributeTypeAndValue({ type: COMMON_NAME, value });
  return new Name([new RelativeDistinguishedName([attribute])]);
}

/** RFC 5280, 4.2.1.2, the first way: a name for a key, which nothing has to be proven by. */
function keyIdentifier({ subjectPublicKey }: SubjectPublicKeyInfo): Uint8Array {
  return Uint8Array.from(createHash('sha1').update(new Uint8Array(subjectPublicKey)).digest());
}

function critical(extnID: string, value: object): Extension {
  return new Extension({ extnID, critical: true, extnValue: octets(value) });
}

function plain(extnID: string, value: object): Extension {
  return new Extension({ extnID, critical: false, extnValue: octets(value) });
}

function octets(value: object): OctetString {
  return new OctetString(value instanceof Uint8Array ? value : AsnConvert.serialize(value));
}
