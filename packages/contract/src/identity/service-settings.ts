import { port } from '../input-codes.ts'
import { z } from 'zod'
import { HTTP_PROOFS, MAIL_LOGIN_ENCRYPTIONS } from './provider-types.ts'

const TEXT_MAX = 1024
const CA_MAX = 65_536
const GROUPS_MAX = 200
const DOMAINS_MAX = 50
const LARGEST_UID = 2 ** 32 - 2

/** What settings of every such kind have. */
const common = {
  /** Permission bits of new accounts. */
  permission: z.int().min(0),
  /** Whether an account is made when somebody signs in for the first time. */
  createAtSignIn: z.boolean().default(true),
}

/** What settings of a server have that an administrator names. */
const reached = {
  /** PEM of the authorities that may have signed its certificate; '' is those of the system. */
  ca: z.string().trim().max(CA_MAX).default(''),
  /** It lies in the own network, which is otherwise out of reach unless `outbound.allow` has it. */
  inside: z.boolean().default(false),
}

/** Who has a group there joins a group, or a department, here. */
const groups = z
  .array(
    z.strictObject({
      name: z.string().trim().min(1).max(TEXT_MAX),
      groupId: z.int().min(1).optional(),
      departmentId: z.int().min(1).optional(),
    }),
  )
  .max(GROUPS_MAX)
  .default([])

export const httpSettings = z.strictObject({
  /** Account and password are posted to it. */
  url: z.string().trim().max(TEXT_MAX),
  /** How the service knows that it is this server that asks. */
  proof: z.enum(HTTP_PROOFS).default('signature'),
  ...reached,
  groups,
  ...common,
})
export type HttpSettings = z.infer<typeof httpSettings>

export const mailLoginSettings = z.strictObject({
  /** A server that takes mail from its people (RFC 6409). */
  host: z.string().trim().max(255),
  port,
  encryption: z.enum(MAIL_LOGIN_ENCRYPTIONS),
  /** Only addresses of these sign in. */
  domains: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .max(253)
        .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/),
    )
    .max(DOMAINS_MAX),
  ...reached,
  ...common,
})
export type MailLoginSettings = z.infer<typeof mailLoginSettings>

export const unixSettings = z.strictObject({
  /** Name of the PAM service file. */
  service: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)
    .default('godwit'),
  /** Accounts with a smaller number belong to the system, and nobody signs in with them. */
  minUid: z.int().min(1).max(LARGEST_UID).default(1000),
  groups,
  ...common,
})
export type UnixSettings = z.infer<typeof unixSettings>
