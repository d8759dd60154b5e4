import { z } from 'zod'
import { guestEntry } from './link-forms.ts'

/** What one visitor took or brought. */
export const linkUse = z.object({
  kind: z.enum(['download', 'upload']),
  /** Unix seconds. */
  time: z.int(),
  address: z.string(),
  /** As the visitor saw them; at most 10. */
  files: z.array(z.string()),
  fileCount: z.int(),
  bytes: z.int(),
  /** Everything that was asked for arrived. */
  whole: z.boolean(),
  /** Whose mailed address it was, proven by a code where the link asks for one; '' when nobody knows. */
  recipient: z.string(),
  /** What the visitor said of themselves, when the link asks. */
  guest: guestEntry,
})
export type LinkUse = z.infer<typeof linkUse>
