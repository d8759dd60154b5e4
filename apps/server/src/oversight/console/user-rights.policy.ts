import { FULL_PERMISSION } from '@godwit/contract'
import { AppError } from '../../kernel/errors.ts'

/** Who edits, as far as the rules ask. */
export interface Editor {
  readonly id: string
  readonly isSuper: boolean
  /** File flags of the editor's own account. */
  readonly permission: number
}

/** An account as the rules see it. */
export interface Editable {
  readonly id: string
  readonly standing: 'super' | 'role' | 'user'
}

/**
 * An administrator edits people, not the people above or beside: the super administrator alone edits administrators, and
 * nobody but the super administrator edits that one account.
 * @throws AppError PERMISSION_DENIED
 */
export function requireEditable(editor: Editor, target: Editable): void {
  if (target.standing === 'user' || editor.isSuper) return
  throw new AppError('PERMISSION_DENIED', { reason: `${target.standing}-administrator` })
}

/**
 * Nobody grants a flag that they do not have. What the account had before may stay.
 * @throws AppError PERMISSION_DENIED naming the flags
 */
export function requireOwnFlags(editor: Editor, granted: number, had: number): void {
  if (editor.isSuper) return
  const beyond = granted & FULL_PERMISSION & ~had & ~editor.permission
  if (beyond !== 0) throw new AppError('PERMISSION_DENIED', { reason: 'beyond-own-permission', flags: beyond })
}

interface Period {
  readonly validFrom?: number | null | undefined
  readonly validUntil?: number | null | undefined
}

/** The account of the super administrator neither begins later nor ends: nobody could sign in as that one. @throws AppError PERMISSION_DENIED */
export function requireLasting({ is_super: isSuper }: { readonly is_super: number }, period: Period): void {
  const { validFrom = null, validUntil = null } = period
  if (isSuper === 1 && (validFrom !== null || validUntil !== null))
    throw new AppError('PERMISSION_DENIED', { reason: 'super-administrator' })
}

/** Nobody locks or removes their own account, and nobody the super administrator's. @throws AppError PERMISSION_DENIED */
export function requireStoppable(editor: Editor, target: Editable): void {
  if (target.standing === 'super') throw new AppError('PERMISSION_DENIED', { reason: 'super-administrator' })
  if (target.id === editor.id) throw new AppError('PERMISSION_DENIED', { reason: 'own-account' })
  requireEditable(editor, target)
}
