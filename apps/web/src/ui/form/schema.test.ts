import { ApiError } from '@godwit/contract/wire/api-error'
import { describe, expect, it } from 'vitest'
import type { Texts } from '../../lib/texts.tsx'
import { fieldOfError, type FormSchema, schemaFaults, tabOf } from './schema.ts'

type Name = 'account' | 'email' | 'phone' | 'password'

const texts = ((key: string) => key) as unknown as Texts

const SCHEMA: FormSchema<Name> = {
  account: {
    kind: 'text',
    label: 'Account',
    isRequired: true,
    missing: 'Enter an account',
    errors: ['ACCOUNT_EXISTS'],
  },
  email: {
    kind: 'text',
    label: 'E-mail',
    isRequired: true,
    rule: (value) => (value.includes('@') ? undefined : 'Incorrect'),
    wire: 'email',
  },
  phone: { kind: 'text', label: 'Phone', rule: (value) => (/^\d+$/.test(value) ? undefined : 'Digits only') },
  password: {
    kind: 'password',
    label: 'Password',
    isRequired: ({ account }) => account !== 'known',
    rule: (value, { account }) => (value.includes(account) ? 'Must not contain the account' : undefined),
  },
}

const VALUES = { account: 'mia', email: 'mia@example.org', phone: '', password: 'secret' }

const faults = (values: Partial<Record<Name, string>>) => schemaFaults(SCHEMA, { ...VALUES, ...values }, texts)

describe('the rules of a form', () => {
  it('say nothing about values that are right, and nothing about an empty value that is not required', () => {
    expect(Object.values(faults({})).filter((fault) => fault !== undefined)).toEqual([])
  })

  it('ask for what is required before they look at it, also where that depends on another value', () => {
    expect(faults({ account: ' ' }).account).toBe('Enter an account')
    expect(faults({ email: '' }).email).toBe('common.required')
    expect(faults({ password: '' }).password).toBe('common.required')
    expect(faults({ account: 'known', password: '' }).password).toBeUndefined()
  })

  it('see the other values', () => {
    expect(faults({ password: 'mia-1' }).password).toBe('Must not contain the account')
    expect(faults({ phone: '12a' }).phone).toBe('Digits only')
  })
})

describe('an answer of the server', () => {
  const answered = (code: number, data = {}) => new ApiError({ code, status: 400, message: '', data })

  it('belongs to the field that names its code, or whose name on the wire it carries', () => {
    expect(fieldOfError(SCHEMA, answered(1004), VALUES)).toBe('account')
    expect(fieldOfError(SCHEMA, answered(400, { field: 'email', rule: 'too long' }), VALUES)).toBe('email')
  })

  it('belongs to no field that is not shown', () => {
    const hidden = { ...SCHEMA, account: { ...SCHEMA.account, isHidden: () => true } }
    expect(fieldOfError(hidden, answered(1004), VALUES)).toBeUndefined()
  })

  it('belongs to none when it is about something else, or there was none', () => {
    expect(fieldOfError(SCHEMA, answered(400, { field: 'unknown' }), VALUES)).toBeUndefined()
    expect(fieldOfError(SCHEMA, answered(400, {}), VALUES)).toBeUndefined()
    expect(fieldOfError(SCHEMA, answered(5009), VALUES)).toBeUndefined()
    expect(fieldOfError(SCHEMA, new Error('offline'), VALUES)).toBeUndefined()
  })
})

describe('the tabs of a form', () => {
  const tabs = [
    { id: 'general', label: 'General', fields: ['account', 'email'] as const },
    { id: 'security', label: 'Security', fields: ['password'] as const },
  ]

  it('lead to the one with the first field that is wrong', () => {
    expect(tabOf<Name>(tabs, ['password'])?.id).toBe('security')
    expect(tabOf<Name>(tabs, ['password', 'email'])?.id).toBe('general')
    expect(tabOf<Name>(tabs, [])).toBeUndefined()
  })
})
