import type {
  AuthProvider,
  AuthProviderChange,
  NewAuthProvider,
  ProviderSource,
  TriedAuthProvider,
} from '@godwit/contract'
import type { PortalKey, Texts } from '../../../lib/texts.tsx'
import type { FormSchema, FormTab } from '../../../ui/form/index.ts'
import {
  changeBody,
  type CommonValues,
  newBody,
  type TestValues,
  triedBody,
  triedWithSomebody,
} from './provider-bodies.ts'
import type { ProviderSchemaOptions } from './provider-fields.tsx'
import { providerSchema, providerTabs } from './provider-schema.tsx'
import {
  isDirectory,
  NEW_PROVIDER,
  newProviderOf,
  type ProviderField,
  providerChangeOf,
  triedProviderOf,
  valuesOf,
} from './provider-values.ts'
import { samlSchema, samlTabs } from './saml-schema.tsx'
import { NEW_SAML, type SamlField, samlSourceOf, samlValuesOf } from './saml-values.ts'
import { httpSchema, httpTabs, mailLoginSchema, mailLoginTabs, unixSchema, unixTabs } from './service-schemas.tsx'
import {
  type HttpField,
  httpSourceOf,
  httpValuesOf,
  type MailLoginField,
  mailLoginSourceOf,
  mailLoginValuesOf,
  NEW_HTTP,
  NEW_MAIL_LOGIN,
  NEW_UNIX,
  type UnixField,
  unixSourceOf,
  unixValuesOf,
} from './service-values.ts'
import { signOnSchema, signOnTabs } from './sign-on-schema.tsx'
import { NEW_SIGN_ON, type SignOnField, signOnSourceOf, signOnValuesOf } from './sign-on-values.ts'

type Values<Name extends string> = Readonly<Record<Name, string>>

/** What the form of a kind of provider is made of, and what it sends. */
export interface ProviderForm<Name extends string> {
  readonly add: PortalKey
  /** Addresses of this site that the provider has to know, by the text that says what each is for. */
  readonly addresses: ReadonlyArray<readonly [label: PortalKey, path: string]>
  readonly fresh: Values<Name>
  schema(options: ProviderSchemaOptions): FormSchema<Name>
  tabs(texts: Texts): ReadonlyArray<FormTab<Name>>
  /** @returns undefined for a provider of another kind */
  valuesOf(provider: AuthProvider): Values<Name> | undefined
  newOf(values: Values<Name>): NewAuthProvider
  changeOf(values: Values<Name>, base: Values<Name>, revision: number): AuthProviderChange
  triedOf(values: Values<Name>, providerId: number | undefined): TriedAuthProvider
}

export const DIRECTORY_FORM: ProviderForm<ProviderField> = {
  add: 'authentication.add',
  addresses: [],
  fresh: NEW_PROVIDER,
  schema: providerSchema,
  tabs: providerTabs,
  valuesOf: (provider) => (isDirectory(provider) ? valuesOf(provider) : undefined),
  newOf: newProviderOf,
  changeOf: providerChangeOf,
  triedOf: triedProviderOf,
}

export const SIGN_ON_FORM: ProviderForm<SignOnField> = {
  add: 'authentication.add-sign-on',
  addresses: [
    ['authentication.redirect', '/signin/callback'],
    ['authentication.redirect.logout', '/signin'],
    ['authentication.redirect.ended', '/api/user/sign-on/ended'],
  ],
  fresh: NEW_SIGN_ON,
  schema: signOnSchema,
  tabs: signOnTabs,
  valuesOf: signOnValuesOf,
  newOf: (values) => newBody(values, signOnSourceOf(values)),
  changeOf: (values, base, revision) => changeBody({ values, base, sourceOf: signOnSourceOf, revision }),
  triedOf: (values, providerId) => triedBody(values, signOnSourceOf(values), providerId),
}

export const SAML_FORM: ProviderForm<SamlField> = {
  add: 'authentication.add-saml',
  addresses: [
    ['authentication.saml.site-metadata', '/api/user/sign-on/saml/metadata'],
    ['authentication.saml.answers', '/api/user/sign-on/saml'],
    ['authentication.saml.sign-outs', '/api/user/sign-on/saml/sign-out'],
  ],
  fresh: NEW_SAML,
  schema: samlSchema,
  tabs: samlTabs,
  valuesOf: samlValuesOf,
  newOf: (values) => newBody(values, samlSourceOf(values)),
  changeOf: (values, base, revision) => changeBody({ values, base, sourceOf: samlSourceOf, revision }),
  triedOf: (values, providerId) => triedBody(values, samlSourceOf(values), providerId),
}

/** What a service sends follows from its settings. */
function sendingOf<Values extends CommonValues & TestValues>(sourceOf: (values: Values) => ProviderSource) {
  return {
    addresses: [],
    newOf: (values: Values) => newBody(values, sourceOf(values)),
    changeOf: (values: Values, base: Values, revision: number) => changeBody({ values, base, sourceOf, revision }),
    triedOf: (values: Values, providerId: number | undefined) =>
      triedWithSomebody(values, sourceOf(values), providerId),
  }
}

export const HTTP_FORM: ProviderForm<HttpField> = {
  ...{ add: 'authentication.add-http', fresh: NEW_HTTP, schema: httpSchema, tabs: httpTabs, valuesOf: httpValuesOf },
  ...sendingOf<Values<HttpField>>(httpSourceOf),
}

export const MAIL_LOGIN_FORM: ProviderForm<MailLoginField> = {
  ...{ add: 'authentication.add-email', fresh: NEW_MAIL_LOGIN, schema: mailLoginSchema, tabs: mailLoginTabs },
  valuesOf: mailLoginValuesOf,
  ...sendingOf<Values<MailLoginField>>(mailLoginSourceOf),
}

export const UNIX_FORM: ProviderForm<UnixField> = {
  ...{ add: 'authentication.add-unix', fresh: NEW_UNIX, schema: unixSchema, tabs: unixTabs, valuesOf: unixValuesOf },
  ...sendingOf<Values<UnixField>>(unixSourceOf),
}
