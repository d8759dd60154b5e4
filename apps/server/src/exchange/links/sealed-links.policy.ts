import type { CreateLinkInput, EditLinkInput } from '@godwit/contract'
import { AppError } from '../../kernel/errors.ts'
import type { LinkRow } from './links.schema.ts'

/** What holds for links whose files are encrypted end to end. */

/**
 * Terms that the server cannot keep for files that it cannot read, and mails that would lack the key.
 * @throws AppError LINK_SEALED_TERMS with the field
 */
export function requireSealedTerms(
  isSealed: boolean,
  wanted: Partial<Omit<CreateLinkInput, 'shareUrl'>> | EditLinkInput,
): void {
  if (!isSealed) return
  const refused = {
    shareEmail: (wanted.shareEmail ?? []).length > 0,
    needEmail: wanted.needEmail === true,
    request: wanted.request != null,
    audience: wanted.audience !== undefined && wanted.audience.kind !== 'anyone',
    shareAllowDownload: wanted.shareAllowDownload === 0,
    fileAlias: (wanted.fileAlias ?? []).length > 0,
  }
  const field = Object.entries(refused).find(([, isWanted]) => isWanted)?.[0]
  if (field !== undefined) throw new AppError('LINK_SEALED_TERMS', { field })
}

/** What looks into files, or packs them, is refused for files that nobody but their people can read. @throws AppError LINK_SEALED */
export function requireUnsealed({ sealed_by: sealedBy }: Pick<LinkRow, 'sealed_by'>): void {
  if (sealedBy !== '') throw new AppError('LINK_SEALED')
}

const SEALED_NAME = /^[0-9a-f]{32}\.gwe$/

/** Only what a browser encrypted comes into such a link. @throws AppError LINK_SEALED */
export function requireSealedName({ sealed_by: sealedBy }: Pick<LinkRow, 'sealed_by'>, name: string): void {
  if (sealedBy !== '' && !SEALED_NAME.test(name)) throw new AppError('LINK_SEALED')
}
