import { z } from 'zod'

/** Whom a link is for, and what became of it for each of them. */

export const linkPerson = z.object({ id: z.string(), account: z.string(), name: z.string() })
export type LinkPerson = z.infer<typeof linkPerson>
export const linkGroup = z.object({ id: z.int(), name: z.string() })
export type LinkGroup = z.infer<typeof linkGroup>

/** Of the last mail to a recipient: none was sent; it waits for the mail server; the server took it; it never will. */
export const MAIL_STATES = ['none', 'waiting', 'sent', 'refused'] as const
export type MailState = (typeof MAIL_STATES)[number]

/** One of those a link was mailed to. Times are Unix seconds; 0: not yet. */
export const linkRecipient = z.object({
  address: z.string(),
  mail: z.enum(MAIL_STATES),
  /** As the mail server said it; '' when it said nothing. */
  answer: z.string(),
  mailedAt: z.int(),
  /** When somebody opened the address that was mailed to them. */
  openedAt: z.int(),
  /** When the code was entered last. */
  provenAt: z.int(),
  downloads: z.int(),
  /** Files that came by an invite link. */
  uploads: z.int(),
  bytes: z.int(),
  /** Of what they asked for, how much arrived; null when it is not known, as while a zip is under way. */
  percent: z.int().min(0).max(100).nullable(),
  /** Files of which they have a copy with the recorded checksum. */
  verified: z.int(),
  /** Items of the checklist that they have still to bring; none without one. */
  missing: z.array(z.string()),
})
export type LinkRecipient = z.infer<typeof linkRecipient>

/** An account that a link for people of the site is for. */
export const linkReader = linkPerson.extend({
  /** When they opened it first; 0: not yet. */
  openedAt: z.int(),
})
export type LinkReader = z.infer<typeof linkReader>
