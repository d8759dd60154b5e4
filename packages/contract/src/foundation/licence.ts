import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { EDITION_NAMES, FEATURES } from './editions.ts'
import { LICENCE_FILE_MAX, LICENCE_STATES } from './licence-limits.ts'

const limit = z.int().nullable()

const licence = z.object({
  id: z.string(),
  edition: z.enum(EDITION_NAMES),
  /** Whom it was issued to. */
  holder: z.string(),
  /** Whether it is for this installation alone. */
  isBound: z.boolean(),
  startsAt: z.int(),
  /** Null: it does not end. */
  expiresAt: z.int().nullable(),
  /** Whole days until its end; negative afterwards; null when it does not end. */
  daysLeft: z.int().nullable(),
  installedAt: z.int(),
  /** Null until its activation code was entered. */
  activatedAt: z.int().nullable(),
  /** Account; '' for the operator at the shell. */
  installedBy: z.string(),
})
export type LicenceView = z.infer<typeof licence>

const status = z.object({
  state: z.enum(LICENCE_STATES),
  /** What holds now, of the licence or of the setting. */
  edition: z.enum(EDITION_NAMES),
  features: z.array(z.enum(FEATURES)),
  /** The licence in force, or the one that was. */
  licence: licence.nullable(),
  /** A file that waits for its activation code. */
  pending: licence.nullable(),
  /** What an issuer needs to make a licence for this installation alone. */
  machineCode: z.string(),
  /** Whether this server knows an issuer; without one it takes no licence. */
  hasIssuer: z.boolean(),
  /** Accounts besides the super administrator. */
  users: z.object({ limit, used: z.int() }),
  clients: z.object({ limit }),
  bandwidthMbps: limit,
  /** `used` counts only in editions that count it. */
  traffic: z.object({ isCounted: z.boolean(), totalBytes: limit, usedBytes: z.int(), leftBytes: limit }),
})
export type LicenceStatus = z.infer<typeof status>

const access = { right: 'licence.edit' } as const

/** The licence of this installation: a signed file and its activation code, both checked without asking anybody. */
export const licenceRoutes = {
  show: defineRoute({
    method: 'GET',
    path: '/api/admin/licence',
    summary: 'The licence, how long it lasts, and what of its limits is used',
    access,
    reply: status,
    errors: [],
  }),
  install: defineRoute({
    method: 'POST',
    path: '/api/admin/licence',
    summary: 'Install a licence file, activate it by its code, or both; a file without its code waits for it',
    access,
    log: 'licence.install',
    body: z
      .strictObject({ file: z.string().max(LICENCE_FILE_MAX).default(''), code: z.string().trim().max(64).default('') })
      .refine(({ file, code }) => file !== '' || code !== '', {
        path: ['file'],
        message: 'a file or a code is needed',
      }),
    reply: status,
    errors: ['LICENCE_INVALID', 'LICENCE_EXPIRED', 'LICENCE_CODE_FORMAT', 'LICENCE_CODE_UNSUPPORTED'],
  }),
  remove: defineRoute({
    method: 'POST',
    path: '/api/admin/licence/remove',
    summary: 'Take the licence out of force; the setting of the edition decides again',
    access,
    log: 'licence.remove',
    reply: status,
    errors: [],
  }),
}
