import type { Texts } from '../../../lib/texts.tsx'
import type { Field, FormSchema, FormTab } from '../../../ui/form/index.ts'
import { linesField } from '../../console-kit/lines-field.tsx'
import { commonFields, EXACT, type ProviderSchemaOptions } from './provider-fields.tsx'
import type { SamlAttributeName, SamlField } from './saml-values.ts'
import { buttonFields, createField, emailField } from './sign-on-schema.tsx'

/** Every field of a SAML identity provider. */
export function samlSchema(options: ProviderSchemaOptions): FormSchema<SamlField> {
  const { texts } = options
  return {
    ...commonFields(options, 'roles'),
    ...buttonFields(texts),
    ...attributeFields(texts),
    // On no tab: the metadata has everything.
    secret: { kind: 'password', label: '' },
    metadataUrl: {
      kind: 'text',
      label: texts('authentication.saml.metadata-url'),
      hint: texts('authentication.saml.metadata-url.hint'),
      wire: 'metadataUrl',
      ...EXACT,
    },
    metadata: linesField<SamlField>('metadata', {
      label: texts('authentication.saml.metadata'),
      hint: texts('authentication.saml.metadata.hint'),
      wire: 'metadata',
      rule: () => undefined,
    }),
    ca: linesField<SamlField>('ca', {
      label: texts('authentication.ca'),
      hint: texts('authentication.ca.hint'),
      wire: 'ca',
      rule: () => undefined,
    }),
    createAtSignIn: createField(texts),
  }
}

function attributeFields(texts: Texts) {
  const attribute = (name: SamlAttributeName): Field<SamlField> => ({
    kind: 'text',
    label: texts(`authentication.attribute.${name}`),
    wire: `attributes.${name}`,
    ...EXACT,
  })
  return {
    account: { ...attribute('account'), hint: texts('authentication.saml.account.hint') } as Field<SamlField>,
    name: attribute('name'),
    email: attribute('email'),
    trustEmail: emailField(texts),
    phone: attribute('phone'),
    department: attribute('department'),
    groupsAttribute: {
      kind: 'text',
      label: texts('authentication.roles'),
      hint: texts('authentication.saml.groups.hint'),
      wire: 'attributes.groups',
      ...EXACT,
    },
  } satisfies Partial<Record<SamlField, Field<SamlField>>>
}

export function samlTabs(texts: Texts): ReadonlyArray<FormTab<SamlField>> {
  return [
    {
      id: 'connection',
      label: texts('authentication.tab.connection'),
      fields: ['title', 'enabled', 'metadataUrl', 'ca', 'metadata', 'nameEN', 'nameZH'],
    },
    {
      id: 'attributes',
      label: texts('authentication.tab.attributes'),
      fields: ['account', 'name', 'email', 'trustEmail', 'phone', 'department', 'groupsAttribute'],
    },
    {
      id: 'accounts',
      label: texts('authentication.tab.accounts'),
      fields: ['createAtSignIn', 'groups', 'permission'],
    },
  ]
}
