import { HTTP_PROOFS, MAIL_LOGIN_ENCRYPTIONS } from '@godwit/contract/identity/provider-types'
import type { Texts } from '../../../lib/texts.tsx'
import type { Field, FormSchema, FormTab } from '../../../ui/form/index.ts'
import { linesField } from '../../console-kit/lines-field.tsx'
import { commonFields, EXACT, isPort, type ProviderSchemaOptions, testFields } from './provider-fields.tsx'
import {
  type HttpField,
  type MailLoginField,
  type ServiceField,
  type UnixField,
  usualMailPort,
} from './service-values.ts'

const SERVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i

/** Every field of an external service. */
export function httpSchema(options: ProviderSchemaOptions): FormSchema<HttpField> {
  const { texts, hasSecret } = options
  return {
    ...serviceFields<HttpField>(options),
    groups: commonFields(options, 'roles').groups,
    url: {
      kind: 'text',
      label: texts('authentication.url'),
      hint: ({ url }) =>
        texts(url.trim().startsWith('http:') ? 'authentication.encryption.warning' : 'authentication.url.hint'),
      isRequired: true,
      wire: 'url',
      ...EXACT,
    },
    proof: {
      kind: 'select',
      label: texts('authentication.proof'),
      hint: texts('authentication.proof.hint'),
      choices: HTTP_PROOFS.map((value) => ({ value, label: texts(`authentication.proof.${value}`) })),
    },
    secret: {
      kind: 'password',
      label: texts('authentication.service.secret'),
      hint: texts(hasSecret ? 'authentication.secret.kept' : 'authentication.secret.hint'),
      isRequired: !hasSecret,
      wire: 'secret',
      autoComplete: 'new-password',
    },
    ...reachedFields<HttpField>(texts, 'ca'),
  }
}

/** Every field of a mail server. */
export function mailLoginSchema(options: ProviderSchemaOptions): FormSchema<MailLoginField> {
  const { texts } = options
  return {
    ...serviceFields<MailLoginField>(options),
    host: {
      kind: 'text',
      label: texts('authentication.host'),
      hint: texts('authentication.mail.host.hint'),
      isRequired: true,
      wire: 'host',
      ...EXACT,
    },
    encryption: {
      kind: 'select',
      label: texts('authentication.encryption'),
      choices: MAIL_LOGIN_ENCRYPTIONS.map((value) => ({
        value,
        label: texts(`authentication.mail.encryption.${value}`),
      })),
      derive: (value) => ({ port: usualMailPort(value) }),
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
    domains: linesField<MailLoginField>('domains', {
      label: texts('authentication.domains'),
      hint: texts('authentication.domains.hint'),
      wire: 'domains',
      rule: (lines) =>
        lines.length > 0 && lines.every((line) => DOMAIN.test(line))
          ? undefined
          : texts('authentication.domains.invalid'),
    }),
    ...reachedFields<MailLoginField>(texts, 'ca'),
  }
}

/** Every field of the accounts of the operating system. */
export function unixSchema(options: ProviderSchemaOptions): FormSchema<UnixField> {
  const { texts } = options
  return {
    ...serviceFields<UnixField>(options),
    groups: commonFields(options, 'roles').groups,
    service: {
      kind: 'text',
      label: texts('authentication.pam'),
      hint: texts('authentication.pam.hint'),
      isRequired: true,
      rule: (value) => (SERVICE_NAME.test(value.trim()) ? undefined : texts('authentication.pam.invalid')),
      wire: 'service',
      ...EXACT,
    },
    minUid: {
      kind: 'text',
      inputMode: 'numeric',
      label: texts('authentication.min-uid'),
      hint: texts('authentication.min-uid.hint'),
      isRequired: true,
      rule: (value) => (/^[1-9]\d{0,8}$/.test(value.trim()) ? undefined : texts('authentication.min-uid.invalid')),
      autoComplete: 'off',
    },
  }
}

function serviceFields<Name extends string>(options: ProviderSchemaOptions) {
  const { texts } = options
  const { title, enabled, permission } = commonFields(options, 'roles')
  const create: Field<Name> = {
    kind: 'switch',
    label: texts('authentication.create'),
    hint: texts('authentication.create.sign-on'),
  }
  // Only what has a secret shows it; the form has the field all the same, and sends nothing for it.
  const secret: Field<Name> = { kind: 'custom', label: '', render: () => null }
  return { title, enabled, permission, createAtSignIn: create, secret, ...testFields(texts) }
}

function reachedFields<Name extends string>(texts: Texts, ca: Name) {
  const inside: Field<Name> = {
    kind: 'switch',
    label: texts('authentication.inside'),
    hint: texts('authentication.inside.hint'),
  }
  return {
    inside,
    ca: linesField<Name>(ca, {
      label: texts('authentication.ca'),
      hint: texts('authentication.ca.hint'),
      wire: 'ca',
      rule: () => undefined,
    }),
  }
}

/** Tabs of a service: its own fields, then what all of them have. */
function tabsOf<Name extends string>(
  texts: Texts,
  connection: readonly Name[],
  accounts: ReadonlyArray<Name | ServiceField>,
): ReadonlyArray<FormTab<Name | ServiceField>> {
  return [
    {
      id: 'connection',
      label: texts('authentication.tab.connection'),
      fields: ['title', 'enabled', ...connection],
    },
    { id: 'accounts', label: texts('authentication.tab.accounts'), fields: accounts },
    { id: 'test', label: texts('authentication.tab.test'), fields: ['testAccount', 'testPassword'] },
  ]
}

export function httpTabs(texts: Texts): ReadonlyArray<FormTab<HttpField>> {
  const connection = ['url', 'inside', 'proof', 'secret', 'ca'] as const
  return tabsOf<HttpField>(texts, connection, ['createAtSignIn', 'groups', 'permission'])
}

export function mailLoginTabs(texts: Texts): ReadonlyArray<FormTab<MailLoginField>> {
  const connection = ['host', 'inside', 'encryption', 'port', 'domains', 'ca'] as const
  return tabsOf<MailLoginField>(texts, connection, ['createAtSignIn', 'permission'])
}

export function unixTabs(texts: Texts): ReadonlyArray<FormTab<UnixField>> {
  return tabsOf<UnixField>(texts, ['service', 'minUid'], ['createAtSignIn', 'groups', 'permission'])
}
