import { LDAP_SERVER_TYPES } from '@godwit/contract/identity/account-types'
import { LDAP_ENCRYPTIONS } from '@godwit/contract/identity/provider-types'
import type { Texts } from '../../../lib/texts.tsx'
import type { Field, FormSchema, FormTab } from '../../../ui/form/index.ts'
import { linesField } from '../../console-kit/lines-field.tsx'
import { commonFields, EXACT, isPort, type ProviderSchemaOptions, testFields } from './provider-fields.tsx'
import { type AttributeName, type ProviderField, USUAL, usualPort } from './provider-values.ts'

const SYNC_MINUTES = ['0', '15', '60', '360', '1440'] as const

/** Every field of a directory. */
export function providerSchema(options: ProviderSchemaOptions): FormSchema<ProviderField> {
  return {
    ...commonFields(options, 'groups'),
    ...connectionFields(options),
    ...searchFields(options),
    ...attributeFields(options.texts),
    ...accountFields(options.texts),
    ...testFields(options.texts),
  }
}

/** One entry a field: a list, and nothing to split. */
function connectionFields({ texts }: ProviderSchemaOptions) {
  return {
    serverType: {
      kind: 'select',
      label: texts('authentication.type'),
      choices: LDAP_SERVER_TYPES.map((value) => ({ value, label: texts(`authentication.type.${value}`) })),
      derive: (value) => USUAL[value === 'AD' ? 'AD' : 'OpenLdap'],
    },
    host: {
      kind: 'text',
      label: texts('authentication.host'),
      hint: texts('authentication.host.hint'),
      isRequired: true,
      wire: 'host',
      ...EXACT,
    },
    encryption: {
      kind: 'select',
      label: texts('authentication.encryption'),
      hint: ({ encryption }) => (encryption === 'none' ? texts('authentication.encryption.warning') : ''),
      choices: LDAP_ENCRYPTIONS.map((value) => ({ value, label: texts(`authentication.encryption.${value}`) })),
      derive: (value) => ({ port: usualPort(value) }),
      wire: 'encryption',
    },
    port: {
      kind: 'text',
      inputMode: 'numeric',
      label: texts('authentication.port'),
      isRequired: true,
      rule: (value) => (isPort(value) ? undefined : texts('authentication.port.invalid')),
      autoComplete: 'off',
    },
    ca: linesField<ProviderField>('ca', {
      label: texts('authentication.ca'),
      hint: texts('authentication.ca.hint'),
      wire: 'ca',
      rule: () => undefined,
    }),
  } satisfies Partial<Record<ProviderField, Field<ProviderField>>>
}

function searchFields({ texts, hasSecret }: ProviderSchemaOptions) {
  return {
    base: {
      kind: 'text',
      label: texts('authentication.base'),
      hint: texts('authentication.base.hint'),
      isRequired: true,
      wire: 'base',
      ...EXACT,
    },
    bindUser: {
      kind: 'text',
      label: texts('authentication.bind-user'),
      hint: texts('authentication.bind-user.hint'),
      isRequired: ({ serverType }) => serverType === 'AD',
      wire: 'bindUser',
      ...EXACT,
    },
    secret: {
      kind: 'password',
      label: texts('authentication.secret'),
      hint: texts(hasSecret ? 'authentication.secret.kept' : 'authentication.secret.hint'),
      isRequired: ({ bindUser }) => bindUser.trim() !== '' && !hasSecret,
      wire: 'secret',
      autoComplete: 'new-password',
    },
    filter: {
      kind: 'text',
      label: texts('authentication.filter'),
      hint: texts('authentication.filter.hint'),
      wire: 'filter',
      ...EXACT,
    },
  } satisfies Partial<Record<ProviderField, Field<ProviderField>>>
}

function attributeFields(texts: Texts): Pick<FormSchema<ProviderField>, AttributeName> {
  const field = (name: AttributeName, isRequired: boolean): Field<ProviderField> => ({
    kind: 'text',
    label: texts(`authentication.attribute.${name}`),
    ...(name === 'id' ? { hint: texts('authentication.attribute.id.hint') } : {}),
    isRequired,
    rule: (value) =>
      /^[A-Za-z][A-Za-z0-9;-]{0,63}$/.test(value.trim()) ? undefined : texts('authentication.attribute.invalid'),
    wire: name === 'id' ? 'id' : `attributes.${name}`,
    ...EXACT,
  })
  return {
    account: field('account', true),
    name: field('name', false),
    email: field('email', false),
    phone: field('phone', false),
    department: field('department', false),
    id: field('id', true),
  }
}

function accountFields(texts: Texts) {
  return {
    createAtSignIn: {
      kind: 'switch',
      label: texts('authentication.create'),
      hint: texts('authentication.create.hint'),
    },
    syncMinutes: {
      kind: 'select',
      label: texts('authentication.schedule'),
      hint: texts('authentication.schedule.hint'),
      choices: SYNC_MINUTES.map((value) => ({ value, label: texts(`authentication.schedule.${value}`) })),
    },
  } satisfies Partial<Record<ProviderField, Field<ProviderField>>>
}

export function providerTabs(texts: Texts): ReadonlyArray<FormTab<ProviderField>> {
  return [
    {
      id: 'connection',
      label: texts('authentication.tab.connection'),
      fields: ['title', 'enabled', 'serverType', 'host', 'encryption', 'port', 'ca'],
    },
    {
      id: 'people',
      label: texts('authentication.tab.people'),
      fields: ['base', 'bindUser', 'secret', 'filter'],
    },
    {
      id: 'attributes',
      label: texts('authentication.tab.attributes'),
      fields: ['account', 'name', 'email', 'phone', 'department', 'id'],
    },
    {
      id: 'accounts',
      label: texts('authentication.tab.accounts'),
      fields: ['createAtSignIn', 'syncMinutes', 'groups', 'permission'],
    },
    { id: 'test', label: texts('authentication.tab.test'), fields: ['testAccount', 'testPassword'] },
  ]
}
