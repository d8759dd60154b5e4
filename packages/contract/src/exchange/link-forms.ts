import { z } from 'zod'
import { LIMITS } from '../limits.ts'

/** What guests of an invite link are asked before they bring anything. */

/** `name`, `email` and `remark` are called so in the guest's language; `text` and `choice` have a label of the owner's. */
export const GUEST_FIELD_KINDS = ['name', 'email', 'remark', 'text', 'choice'] as const
export const GUEST_FIELDS_MAX = 10
export const GUEST_LABEL_MAX = 64
export const GUEST_CHOICES_MAX = 20
export const GUEST_VALUE_MAX = 1000
export const GUEST_TERMS_MAX = 8192

const guestField = z
  .strictObject({
    kind: z.enum(GUEST_FIELD_KINDS),
    label: z.string().trim().max(GUEST_LABEL_MAX).default(''),
    required: z.boolean().default(false),
    choices: z.array(z.string().trim().min(1).max(GUEST_LABEL_MAX)).max(GUEST_CHOICES_MAX).default([]),
  })
  .refine(({ kind, label }) => (kind !== 'text' && kind !== 'choice') || label !== '', { path: ['label'] })
  .refine(({ kind, choices }) => (kind === 'choice') === choices.length > 0, { path: ['choices'] })
export type GuestField = z.infer<typeof guestField>

export const guestForm = z
  .strictObject({
    /** To be accepted; '' without any. */
    terms: z.string().trim().max(GUEST_TERMS_MAX),
    fields: z.array(guestField).max(GUEST_FIELDS_MAX),
  })
  .refine(({ terms, fields }) => terms !== '' || fields.length > 0, { path: ['fields'] })
export type GuestForm = z.infer<typeof guestForm>

/** What a guest said of themselves, in the order of the fields; what was left empty is left out. */
export const guestEntry = z.array(z.object({ kind: z.enum(GUEST_FIELD_KINDS), label: z.string(), value: z.string() }))
export type GuestEntry = z.infer<typeof guestEntry>

/** A guest's answer. */
export const guestAnswer = z.strictObject({
  /** Of the terms. */
  accepted: z.boolean(),
  /** In the order of the fields; '' for what is left empty. */
  values: z.array(z.string().max(Math.max(GUEST_VALUE_MAX, LIMITS.textInputMax))).max(GUEST_FIELDS_MAX),
})
export type GuestAnswer = z.infer<typeof guestAnswer>
