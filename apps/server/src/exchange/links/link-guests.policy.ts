import { GUEST_VALUE_MAX, isEmail, type GuestAnswer, type GuestEntry, type GuestForm } from '@godwit/contract'
import { AppError } from '../../kernel/errors.ts'
import { oneLine } from '../../kernel/plain-text.ts'

/**
 * What a guest said, field by field, fit to be shown to the owner.
 * @throws AppError LINK_FORM_REQUIRED with the field that is missing, or without one for the terms; EMAIL_INVALID;
 * PARAMETER_INVALID for a choice that was not offered, or more values than fields
 */
export function entryOf({ terms, fields }: GuestForm, { accepted, values }: GuestAnswer): GuestEntry {
  if (terms !== '' && !accepted) throw new AppError('LINK_FORM_REQUIRED')
  if (values.length > fields.length) throw new AppError('PARAMETER_INVALID', { field: 'values' })
  return fields.flatMap(({ kind, label, required, choices }, at) => {
    const text = values[at] ?? ''
    const value = (kind === 'remark' ? text : oneLine(text)).trim().slice(0, GUEST_VALUE_MAX)
    const field = `values.${at}`
    if (value === '' && required) throw new AppError('LINK_FORM_REQUIRED', { field })
    if (value === '') return []
    if (kind === 'email' && !isEmail(value)) throw new AppError('EMAIL_INVALID', { field, address: value })
    if (kind === 'choice' && !choices.includes(value)) throw new AppError('PARAMETER_INVALID', { field })
    return [{ kind, label, value }]
  })
}
