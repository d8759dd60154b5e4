import type { AuthProvider, ProviderSource } from '@godwit/contract'
import type { HttpProof, MailLoginEncryption } from '@godwit/contract/identity/provider-types'
import { DEFAULT_PERMISSION, wirePermission } from '@godwit/contract/permissions'
import { ON } from '../../../ui/form/index.ts'
import { linesOf } from '../../console-kit/lines.ts'
import type { CommonValues, TestValues } from './provider-bodies.ts'
import { formGroups, namedGroups } from './provider-values.ts'

/** The fields of everything that only says yes or no to an account and its password. */
export type ServiceField = keyof CommonValues | keyof TestValues | 'permission' | 'createAtSignIn'
export type HttpField = ServiceField | 'url' | 'proof' | 'inside' | 'ca' | 'groups'
export type MailLoginField = ServiceField | 'host' | 'port' | 'encryption' | 'domains' | 'inside' | 'ca'
export type UnixField = ServiceField | 'service' | 'minUid' | 'groups'

type Values<Name extends string> = Readonly<Record<Name, string>>
type Source<Kind extends ProviderSource['kind']> = Extract<ProviderSource, { readonly kind: Kind }>

const NEW_SERVICE: Values<ServiceField> = {
  ...{ title: '', enabled: ON, secret: '', testAccount: '', testPassword: '' },
  ...{ permission: String(wirePermission(DEFAULT_PERMISSION)), createAtSignIn: ON },
}

export const NEW_HTTP: Values<HttpField> = {
  ...NEW_SERVICE,
  ...{ url: '', proof: 'signature', inside: '', ca: '', groups: '[]' },
}

export const NEW_MAIL_LOGIN: Values<MailLoginField> = {
  ...NEW_SERVICE,
  ...{ host: '', port: '587', encryption: 'starttls', domains: '', inside: '', ca: '' },
}

export const NEW_UNIX: Values<UnixField> = { ...NEW_SERVICE, service: 'godwit', minUid: '1000', groups: '[]' }

/** The port that an encryption has unless somebody moved it. */
export function usualMailPort(encryption: string): string {
  return encryption === 'tls' ? '465' : '587'
}

function common({ name, enabled, source }: AuthProvider): Values<ServiceField> {
  const { permission, createAtSignIn } = source.settings
  return {
    ...NEW_SERVICE,
    ...{ title: name, enabled: onIf(enabled), permission: String(permission), createAtSignIn: onIf(createAtSignIn) },
  }
}

function onIf(isOn: boolean): string {
  return isOn ? ON : ''
}

/** @returns undefined for a provider of another kind, as the next two */
export function httpValuesOf(provider: AuthProvider): Values<HttpField> | undefined {
  if (provider.source.kind !== 'http') return undefined
  const { url, proof, inside, ca, groups } = provider.source.settings
  return { ...common(provider), url, proof, inside: onIf(inside), ca, groups: formGroups(groups) }
}

export function mailLoginValuesOf(provider: AuthProvider): Values<MailLoginField> | undefined {
  if (provider.source.kind !== 'email') return undefined
  const { host, port, encryption, domains, inside, ca } = provider.source.settings
  const fields = { host, port: String(port), encryption, domains: domains.join('\n'), inside: onIf(inside), ca }
  return { ...common(provider), ...fields }
}

export function unixValuesOf(provider: AuthProvider): Values<UnixField> | undefined {
  if (provider.source.kind !== 'unix') return undefined
  const { service, minUid, groups } = provider.source.settings
  return { ...common(provider), service, minUid: String(minUid), groups: formGroups(groups) }
}

function commonSettings({ permission, createAtSignIn }: Values<ServiceField>) {
  return { permission: Number(permission), createAtSignIn: createAtSignIn === ON }
}

export function httpSourceOf(values: Values<HttpField>): Source<'http'> {
  const settings = {
    ...{ url: values.url.trim(), proof: values.proof as HttpProof, inside: values.inside === ON },
    ...{ ca: values.ca.trim(), groups: namedGroups(values.groups), ...commonSettings(values) },
  }
  return { kind: 'http', settings }
}

export function mailLoginSourceOf(values: Values<MailLoginField>): Source<'email'> {
  const settings = {
    ...{ host: values.host.trim(), port: Number(values.port), inside: values.inside === ON, ca: values.ca.trim() },
    ...{ encryption: values.encryption as MailLoginEncryption, domains: linesOf(values.domains) },
    ...commonSettings(values),
  }
  return { kind: 'email', settings }
}

export function unixSourceOf(values: Values<UnixField>): Source<'unix'> {
  const settings = {
    ...{ service: values.service.trim(), minUid: Number(values.minUid), groups: namedGroups(values.groups) },
    ...commonSettings(values),
  }
  return { kind: 'unix', settings }
}
