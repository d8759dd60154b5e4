import type { Licence } from '../../foundation/licence/index.ts'
import { requireAddresses } from './user-fields.policy.ts'

export interface AddressListDeps {
  readonly licence: Pick<Licence, 'requireFeature'>
}

interface AddressList {
  /** Of the form. */
  readonly field: string
  readonly list: string
  /** What is in force. */
  readonly held?: string | undefined
}

/**
 * A list that is new or another one needs an edition with address lists; what was made before may stay, or be emptied.
 * @throws AppError PARAMETER_INVALID with the entry that cannot be used, EDITION_FEATURE_MISSING
 */
export async function requireAddressList(
  { licence }: AddressListDeps,
  { field, list, held = '' }: AddressList,
): Promise<void> {
  requireAddresses(list, field)
  if (list !== '' && list !== held) await licence.requireFeature('addressLists', field)
}
