import { z } from 'zod'

/** The checklist of an invite link: what its guests are asked to bring. */

export const REQUEST_ITEMS_MAX = 50
export const REQUEST_COUNT_MAX = 1000
export const REQUEST_NAME_MAX = 64
export const REQUEST_PATTERN_MAX = 128
export const REQUEST_TYPES_MAX = 20

const size = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

const requestItem = z
  .strictObject({
    /** Stays the same when the list is changed, so that what arrived for it still counts. */
    id: z.string().regex(/^[a-z0-9]{1,16}$/),
    /** What it is, in the owner's words. */
    name: z.string().trim().min(1).max(REQUEST_NAME_MAX),
    /** Of the file's name, in which `*` stands for any characters and `?` for one; '' for any name. */
    pattern: z.string().trim().max(REQUEST_PATTERN_MAX).default(''),
    /** Extensions without the dot; none: any. */
    types: z
      .array(z.string().regex(/^[^./\\*?\s]{1,16}$/u))
      .max(REQUEST_TYPES_MAX)
      .default([]),
    /** Bytes. */
    minBytes: size.default(0),
    /** Bytes; 0: no limit. */
    maxBytes: size.default(0),
    /** '' or the checksum of the one file that is meant, whose name is the pattern then. */
    sha256: z
      .string()
      .regex(/^(?:[0-9a-f]{64})?$/)
      .default(''),
    /** Files that are needed. */
    count: z.int().min(1).max(REQUEST_COUNT_MAX).default(1),
    required: z.boolean().default(true),
  })
  .refine(({ minBytes, maxBytes }) => maxBytes === 0 || minBytes <= maxBytes, { path: ['maxBytes'] })
  .refine(({ sha256, pattern, count }) => sha256 === '' || (/^[^*?]+$/.test(pattern) && count === 1), {
    path: ['sha256'],
  })
export type RequestItem = z.infer<typeof requestItem>

export const linkRequest = z
  .strictObject({
    items: z.array(requestItem).min(1).max(REQUEST_ITEMS_MAX),
    /** Files that are for none of them are taken as well. */
    others: z.boolean().default(false),
    /** A guest is thanked when everything required is there, and not before. */
    insist: z.boolean().default(false),
  })
  .refine(({ items }) => new Set(items.map(({ id }) => id)).size === items.length, { path: ['items'] })
export type LinkRequest = z.infer<typeof linkRequest>

export const requestState = z.object({
  items: z.array(requestItem.and(z.object({ arrived: z.int() }))),
  others: z.boolean(),
  insist: z.boolean(),
  /** Everything required has arrived. */
  isComplete: z.boolean(),
})
export type RequestState = z.infer<typeof requestState>

/** A file that came for an item of the list. */
export const requestArrival = z.object({
  /** '' for a file that is for none of them. */
  item: z.string(),
  /** As the guest sees it. */
  path: z.string(),
  bytes: z.int(),
  /** Unix seconds. */
  time: z.int(),
  /** Whose mailed address it was; '' when nobody knows. */
  recipient: z.string(),
})
export type RequestArrival = z.infer<typeof requestArrival>
