import type { GuestForm } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { askedValues, guestFormOf, ownFieldFault, ownFieldsText } from './asked-values.ts'

describe('what guests are asked', () => {
  it('is nothing at first', () => expect(guestFormOf(askedValues(null))).toBeNull())

  it('comes back from the dialog as it went in', () => {
    const form: GuestForm = {
      terms: 'Drawings only',
      fields: [
        { kind: 'name', label: '', required: true, choices: [] },
        { kind: 'remark', label: '', required: false, choices: [] },
        { kind: 'text', label: 'Order', required: false, choices: [] },
        { kind: 'choice', label: 'Lot', required: true, choices: ['North', 'South'] },
      ],
    }
    expect(guestFormOf(askedValues(form))).toEqual(form)
  })

  it('takes semicolons of both kinds, and needs a name for each field', () => {
    const own = [{ label: ' Lot ', required: false, choices: 'North；South; ' }]
    const values = { ...askedValues(null), askOwn: ownFieldsText(own) }
    expect(guestFormOf(values)?.fields).toMatchObject([{ kind: 'choice', label: 'Lot', choices: ['North', 'South'] }])
    expect(ownFieldFault(values.askOwn)).toBe(false)
    expect(ownFieldFault(ownFieldsText([{ label: ' ', required: false, choices: '' }]))).toBe(true)
  })
})
