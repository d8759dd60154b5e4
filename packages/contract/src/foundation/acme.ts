import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'

/**
 * Why an order of a certificate failed:
 * - unreachable: nobody answered, in time and with a certificate that is trusted
 * - not-allowed: the directory is an address inside the house that outbound.allow does not name
 * - refused: the authority refused the account or the order
 * - challenge: the authority asked this host by HTTP and was not satisfied
 * - answer: the authority does not speak as RFC 8555 has it
 * - unusable: the certificate does not pass the checks of an uploaded one
 */
export const ACME_REASONS = ['unreachable', 'not-allowed', 'refused', 'challenge', 'answer', 'unusable'] as const
export type AcmeReason = (typeof ACME_REASONS)[number]

const view = z.object({
  isOn: z.boolean(),
  directory: z.string(),
  /** What the certificate is to be for. */
  names: z.array(z.string()),
  /** An order is under way, or about to begin. */
  isOrdering: z.boolean(),
  /** End of the last order, Unix milliseconds; null before the first. */
  triedAt: z.int().nullable(),
  /** When the next order is due; null where none will be. */
  nextAt: z.int().nullable(),
  /** Of the last order; null when it succeeded. */
  failure: z
    .object({
      reason: z.enum(ACME_REASONS),
      /** What the authority said, on one line. */
      words: z.string(),
      /** Orders that failed one after another. */
      count: z.int(),
    })
    .nullable(),
})
export type AcmeView = z.infer<typeof view>

const access = { right: 'certificates.edit' } as const

/** Certificates that the server orders itself. What is ordered and where is in the settings. */
export const acmeRoutes = {
  state: defineRoute({
    method: 'GET',
    path: '/api/admin/certificates/acme',
    summary: 'How the orders of certificates stand: the last one, why it failed, and when the next one is due',
    access,
    reply: view,
    errors: [],
  }),
  order: defineRoute({
    method: 'POST',
    path: '/api/admin/certificates/acme/order',
    summary: 'Order a certificate now; it replaces the one in force once the authority has signed it',
    access,
    log: 'certificate.order',
    reply: view,
    errors: ['ACME_OFF'],
  }),
}
