import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'

/** Where a certificate came from. */
export const CERTIFICATE_SOURCES = ['uploaded', 'self-signed', 'acme'] as const
export type CertificateSource = (typeof CERTIFICATE_SOURCES)[number]

/**
 * What is worth knowing of a certificate that is accepted all the same:
 * - name-not-covered: it does not name the host of the site's address
 * - self-signed: browsers warn of it
 * - issuer-unknown: neither its issuer nor a known authority is in the chain
 * - expires-soon: 30 days or fewer are left
 * - expired
 */
export const CERTIFICATE_WARNINGS = [
  'name-not-covered',
  'self-signed',
  'issuer-unknown',
  'expires-soon',
  'expired',
] as const
export type CertificateWarning = (typeof CERTIFICATE_WARNINGS)[number]

/** Days before its end at which the administrators are reminded, the longest first. */
export const CERTIFICATE_REMINDER_DAYS = [30, 7, 1] as const
/** A chain with every authority of it takes a few KiB. */
export const CERTIFICATE_PEM_MAX = 128 * 1024
export const CERTIFICATE_NAMES_MAX = 100
/** Browsers refuse what is valid for longer, where an authority signed it. */
export const SELF_SIGNED_DAYS_MAX = 825
export const SELF_SIGNED_DAYS = 397

const HOST_NAME =
  /^(?=.{1,253}$)(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/

/** A host name, perhaps with `*.` before it, or an address; lower case, and no name that only looks like an address. */
export function isCertificateName(name: string): boolean {
  if (name.includes(':')) return z.ipv6().safeParse(name).success
  return /^[\d.]+$/.test(name) ? z.ipv4().safeParse(name).success : HOST_NAME.test(name)
}

const certificateName = z
  .string()
  .trim()
  .toLowerCase()
  .refine(isCertificateName, 'must be a host name or an address')
  .meta({ pattern: '^[a-z0-9*_.:-]+$', maxLength: 253 })

export const certificateNames = z
  .array(certificateName)
  .min(1)
  .max(CERTIFICATE_NAMES_MAX)
  .refine((names) => new Set(names).size === names.length, 'must not name a host twice')

const certificate = z.object({
  id: z.string(),
  source: z.enum(CERTIFICATE_SOURCES),
  inForce: z.boolean(),
  /** Host names and addresses that it is for. */
  names: z.array(z.string()),
  subject: z.string(),
  issuer: z.string(),
  /** Subjects of the authorities that it brings along, the nearest first. */
  chain: z.array(z.string()),
  notBefore: z.int(),
  notAfter: z.int(),
  /** Whole days until its end; negative afterwards. */
  daysLeft: z.int(),
  /** SHA-256, in hex with colons. */
  fingerprint: z.string(),
  /** Of its RSA key. */
  bits: z.int(),
  addedAt: z.int(),
  /** Account; '' when the server or its operator did it. */
  addedBy: z.string(),
  /** Of the one in force; empty for the others. */
  warnings: z.array(z.enum(CERTIFICATE_WARNINGS)),
})
export type CertificateView = z.infer<typeof certificate>

const access = { right: 'certificates.edit' } as const
const added = z.object({ certificate })

/** The certificate that HTTPS connections are shown. A private key goes in and never comes out. */
export const certificateRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/certificates',
    summary: 'The certificate in force, and earlier ones, the newest first',
    access,
    reply: z.object({
      current: certificate.nullable(),
      history: z.array(certificate),
      /** Host of the site's address, which a certificate should name; '' when the configuration has none. */
      siteHost: z.string(),
      /** Port of HTTPS; null where this server does not serve it. */
      httpsPort: z.int().nullable(),
    }),
    errors: [],
  }),
  upload: defineRoute({
    method: 'POST',
    path: '/api/admin/certificates',
    summary: 'Put a certificate with its chain and its private key in force, on every node within two seconds',
    access,
    log: 'certificate.set',
    body: z.strictObject({
      certificate: z.string().min(1).max(CERTIFICATE_PEM_MAX),
      key: z.string().min(1).max(CERTIFICATE_PEM_MAX),
    }),
    reply: added,
    errors: [
      'CERTIFICATE_PEM_INVALID',
      'CERTIFICATE_CHAIN_INVALID',
      'CERTIFICATE_KEY_INVALID',
      'CERTIFICATE_KEY_ENCRYPTED',
      'CERTIFICATE_NOT_RSA',
      'CERTIFICATE_KEY_TOO_SHORT',
      'CERTIFICATE_MISMATCH',
      'CERTIFICATE_EXPIRED',
    ],
  }),
  selfSigned: defineRoute({
    method: 'POST',
    path: '/api/admin/certificates/self-signed',
    summary: 'Make a certificate that no authority signed, and put it in force',
    access,
    log: 'certificate.self-signed',
    body: z.strictObject({
      names: certificateNames,
      days: z.int().min(1).max(SELF_SIGNED_DAYS_MAX).default(SELF_SIGNED_DAYS),
    }),
    reply: added,
    errors: [],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/certificates/remove',
    summary: 'Take the certificate out of force: from then on nobody can connect by HTTPS',
    access,
    log: 'certificate.remove',
    reply: z.object({}),
    errors: [],
  }),
}
