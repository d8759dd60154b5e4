import { searchIn } from '@godwit/contract'
import { z } from 'zod'
import { VaultError, type Vault } from '../../kernel/crypto/index.ts'
import { AppError } from '../../kernel/errors.ts'

const searchCursor = z.strictObject({ in: searchIn, rootId: z.int(), before: z.int() })

/** Where a search goes on. Sealed: numbers of the index would count entries that its reader may not see. */
export type SearchCursor = z.infer<typeof searchCursor>

export function sealCursor(vault: Vault, userId: string, cursor: SearchCursor): string {
  return vault.seal(purposeOf(userId), JSON.stringify(cursor))
}

/** @throws AppError CURSOR_INVALID */
export function openCursor(vault: Vault, userId: string, text: string): SearchCursor {
  try {
    return searchCursor.parse(JSON.parse(vault.open(purposeOf(userId), text)))
  } catch (thrown) {
    if (thrown instanceof VaultError || thrown instanceof z.ZodError) throw new AppError('CURSOR_INVALID')
    throw thrown
  }
}

function purposeOf(userId: string): string {
  return `search-cursor:${userId}`
}
