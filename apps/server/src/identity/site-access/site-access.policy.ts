import { addressFault, coversAddress } from '../users/index.ts'
import { AppError } from '../../kernel/errors.ts'

/** From where the site may be reached, as administrators wrote it. */
export type AddressRules = Readonly<Record<'security.allowedAddresses' | 'security.deniedAddresses', string>>

/** Whether an address may come: the denied ones never, and once any are allowed, only these. */
export function isAdmitted(address: string, rules: AddressRules): boolean {
  const denied = rules['security.deniedAddresses']
  // A list without an entry covers every address, which is right for the allowed ones alone.
  const isDenied = /[^;；,\s]/.test(denied) && coversAddress(denied, address)
  return !isDenied && coversAddress(rules['security.allowedAddresses'], address)
}

/** @throws AppError ADDRESS_LIST_INVALID naming the setting */
export function requireLists(rules: AddressRules): void {
  for (const [field, text] of Object.entries(rules)) {
    const entry = addressFault(text)
    if (entry !== undefined) throw new AppError('ADDRESS_LIST_INVALID', { field, entry })
  }
}
