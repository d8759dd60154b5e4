import { errorSpec, type ErrorName } from '@godwit/contract/errors/catalogue'
import { STORAGE_KINDS } from '@godwit/contract/foundation/storage-types'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { AdminStorage } from '@godwit/contract'
import type { Texts } from '../../../lib/texts.tsx'

/** What a kind is called; one that this page does not know yet by its own name. */
export function kindText(texts: Texts, kind: string): string {
  const known = STORAGE_KINDS.find((each) => each === kind)
  return known === undefined ? kind : texts(`storages.kind.${known}`)
}

export function stateText(texts: Texts, { error, checkedAt }: Pick<AdminStorage, 'error' | 'checkedAt'>): string {
  if (checkedAt === null) return texts('storages.checked.never')
  return texts(error === '' ? 'storages.state.well' : 'storages.state.ill')
}

/** Why a storage did not answer; '' for one that did. */
export function reasonText(texts: Texts, { error }: Pick<AdminStorage, 'error'>): string {
  if (error === '') return ''
  return texts.failure(new ApiError({ code: errorSpec(error as ErrorName).wire, message: error }))
}
