import { z } from 'zod'
import { LIMITS } from '../limits.ts'

/** Files of one answer: their encrypted beginnings come with them. */
export const SEALED_PAGE = 50

export const sealedFilesQuery = z.strictObject({
  cursor: z
    .string()
    .max(LIMITS.textInputMax * 4)
    .optional(),
})

export const sealedFilePage = z.object({
  items: z.array(
    z.object({
      /** On the server; it says nothing of the file. */
      name: z.string(),
      /** Encrypted and padded. */
      size: z.int(),
      /** The encrypted beginning in base64, of which the names are made; '' for a file that is not encrypted. */
      start: z.string(),
    }),
  ),
  next: z.string().nullable(),
  total: z.int(),
})
export type SealedFilePage = z.infer<typeof sealedFilePage>
