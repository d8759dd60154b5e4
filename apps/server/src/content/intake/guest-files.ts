import { AppError } from '../../kernel/errors.ts'
import type { Principal } from '../../kernel/principal.ts'
import { nameOf, type Location } from '../access/index.ts'
import type { IntakeDeps } from './intake.deps.ts'
import { guestOf } from './intake.grants.ts'
import type { UploadRow } from './intake.schema.ts'

/** What guests bring is held against what the owner of their link asks for: at the beginning, while it grows, and at the end. */

interface Beginning {
  readonly target: Location
  readonly carrier: UploadRow['carrier']
  readonly size: number | null
}

/**
 * Before the first byte.
 * @throws AppError as Access.expectedOf(), OPERATION_UNSUPPORTED for a checksum where files cannot be read before they show
 */
export async function requireAskedFor(
  { files }: Pick<IntakeDeps, 'files'>,
  principal: Principal,
  { target, carrier, size }: Beginning,
): Promise<void> {
  // A piece has no name; the file that it becomes a part of is asked about.
  if (principal.kind !== 'guest' || carrier === 'tus-partial') return
  const file = { name: nameOf(target), size, isWhole: size !== null }
  const sha256 = await files.access.expectedOf(principal, file)
  if (sha256 !== '' && !target.store.capabilities.readableUploads) throw new AppError('OPERATION_UNSUPPORTED')
}

type Row = Pick<UploadRow, 'link_id' | 'visit_id' | 'path' | 'carrier'>

/** When more of it comes, or all of it has. @returns the SHA-256 that it must have; '' for any. @throws AppError as Access.expectedOf() */
export async function expectedOfRow(
  { files }: Pick<IntakeDeps, 'files'>,
  row: Row,
  { size, isWhole }: { readonly size: number; readonly isWhole: boolean },
): Promise<string> {
  if (row.link_id === '' || row.carrier === 'tus-partial') return ''
  return files.access.expectedOf(guestOf(row), { name: nameOf(row), size, isWhole })
}
