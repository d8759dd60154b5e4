import type { Texts } from '../../../lib/texts.tsx'
import type { Field, FormSchema, FormTab } from '../../../ui/form/index.ts'
import { linesField } from '../../console-kit/lines-field.tsx'
import { commonFields, EXACT, type ProviderSchemaOptions } from './provider-fields.tsx'
import type { ClaimName, SignOnField } from './sign-on-values.ts'

type Fields = Partial<Record<SignOnField, Field<SignOnField>>>

const BUTTON_MAX = 40

/** Every field of an identity provider. */
export function signOnSchema(options: ProviderSchemaOptions): FormSchema<SignOnField> {
  const { texts } = options
  return {
    ...commonFields(options, 'roles'),
    ...clientFields(options),
    ...claimFields(texts),
    createAtSignIn: createField(texts),
  }
}

export function createField(texts: Texts) {
  return {
    kind: 'switch',
    label: texts('authentication.create'),
    hint: texts('authentication.create.sign-on'),
  } as const
}

export function emailField(texts: Texts) {
  return {
    kind: 'switch',
    label: texts('authentication.trust-email'),
    hint: texts('authentication.trust-email.hint'),
  } as const
}

/** Names on the button of the sign-in page. */
export function buttonFields(texts: Texts) {
  return {
    nameZH: { kind: 'text', label: texts('authentication.button-zh'), maxLength: BUTTON_MAX, autoComplete: 'off' },
    nameEN: { kind: 'text', label: texts('authentication.button-en'), maxLength: BUTTON_MAX, autoComplete: 'off' },
  } as const
}

function clientFields({ texts, hasSecret }: ProviderSchemaOptions) {
  return {
    issuer: {
      kind: 'text',
      label: texts('authentication.issuer'),
      hint: texts('authentication.issuer.hint'),
      isRequired: true,
      wire: 'issuer',
      ...EXACT,
    },
    clientId: { kind: 'text', label: texts('authentication.client'), isRequired: true, wire: 'clientId', ...EXACT },
    secret: {
      kind: 'password',
      label: texts('authentication.client.secret'),
      hint: texts(hasSecret ? 'authentication.secret.kept' : 'authentication.secret.hint'),
      isRequired: !hasSecret,
      wire: 'secret',
      autoComplete: 'new-password',
    },
    scopes: { kind: 'text', label: texts('authentication.scopes'), wire: 'scopes', ...EXACT },
    ca: linesField<SignOnField>('ca', {
      label: texts('authentication.ca'),
      hint: texts('authentication.ca.hint'),
      wire: 'ca',
      rule: () => undefined,
    }),
    ...buttonFields(texts),
  } satisfies Fields
}

function claimFields(texts: Texts) {
  const claim = (name: ClaimName, isRequired = false): Field<SignOnField> => ({
    kind: 'text',
    label: texts(`authentication.attribute.${name}`),
    isRequired,
    wire: `claims.${name}`,
    ...EXACT,
  })
  return {
    account: claim('account', true),
    name: claim('name'),
    email: claim('email'),
    trustEmail: emailField(texts),
    phone: claim('phone'),
    department: claim('department'),
    groupsClaim: {
      kind: 'text',
      label: texts('authentication.roles'),
      hint: texts('authentication.roles.claim'),
      wire: 'claims.groups',
      ...EXACT,
    },
  } satisfies Fields
}

export function signOnTabs(texts: Texts): ReadonlyArray<FormTab<SignOnField>> {
  return [
    {
      id: 'connection',
      label: texts('authentication.tab.connection'),
      fields: ['title', 'enabled', 'issuer', 'clientId', 'secret', 'scopes', 'ca', 'nameEN', 'nameZH'],
    },
    {
      id: 'claims',
      label: texts('authentication.tab.claims'),
      fields: ['account', 'name', 'email', 'trustEmail', 'phone', 'department', 'groupsClaim'],
    },
    {
      id: 'accounts',
      label: texts('authentication.tab.accounts'),
      fields: ['createAtSignIn', 'groups', 'permission'],
    },
  ]
}
