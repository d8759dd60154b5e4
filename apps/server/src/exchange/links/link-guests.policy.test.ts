import type { GuestForm } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { entryOf } from './link-guests.policy.ts'

const FORM: GuestForm = {
  terms: 'Only drawings, please.',
  fields: [
    { kind: 'name', label: '', required: true, choices: [] },
    { kind: 'email', label: '', required: false, choices: [] },
    { kind: 'choice', label: 'Lot', required: false, choices: ['North', 'South'] },
    { kind: 'remark', label: '', required: false, choices: [] },
  ],
}
const answer = (values: readonly string[], accepted = true) => entryOf(FORM, { accepted, values: [...values] })

describe('what a guest says', () => {
  it('is kept field by field, without what was left empty', () =>
    expect(answer([' Ana ', '', 'South'])).toEqual([
      { kind: 'name', label: '', value: 'Ana' },
      { kind: 'choice', label: 'Lot', value: 'South' },
    ]))

  it('keeps lines in a remark alone', () =>
    expect(answer(['Ana\nBen', '', '', 'one\ntwo']).map(({ value }) => value)).toEqual(['Ana Ben', 'one\ntwo']))

  it.each([
    ['terms that were not accepted', ['Ana'], false, 'LINK_FORM_REQUIRED'],
    ['a missing name', ['   '], true, 'LINK_FORM_REQUIRED'],
    ['no values at all', [], true, 'LINK_FORM_REQUIRED'],
    ['an e-mail that is none', ['Ana', 'ana at home'], true, 'EMAIL_INVALID'],
    ['a choice that was not offered', ['Ana', '', 'West'], true, 'PARAMETER_INVALID'],
    ['more values than fields', ['Ana', '', '', '', 'x'], true, 'PARAMETER_INVALID'],
  ] as const)('is refused with %s', (_name, values, accepted, code) =>
    expect(() => answer(values, accepted)).toThrow(expect.objectContaining({ code })),
  )
})
